// @vitest-environment happy-dom
import { catalogEntry, userView } from "@butler/contract";
import { cleanup, screen, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { useState } from "react";
import { afterEach, describe, expect, it } from "vitest";
import { exampleOf } from "../../testing/example-of.ts";
import { Audit } from "./audit/audit.page.tsx";
import type { AuditSearch } from "./audit/audit-search.ts";
import { Catalog } from "./catalog/catalog.page.tsx";
import { Fleet } from "./fleet/fleet.page.tsx";
import { Identity } from "./identity/identity.page.tsx";
import { addressMap } from "./networks/address-map.ts";
import { AddressMap } from "./networks/address-map.tsx";
import { Policies } from "./policies/policies.page.tsx";
import { Providers } from "./providers/providers.page.tsx";
import { Settings } from "./settings/settings.page.tsx";
import type { ListSearch } from "./shared/list-search.ts";
import { AllTeams } from "./teams/teams.page.tsx";
import { renderPage } from "./testing/render-page.tsx";
import { Users } from "./users/users.page.tsx";

afterEach(cleanup);

const hostile = `<img src=x onerror="document.title='owned'">`;

/** Holds the search parameters of a page, like the router. */
function Addressed<Search extends object>(props: {
  readonly start: Search;
  readonly page: (given: { search: Search; onSearch: (change: Search) => void }) => React.ReactNode;
}) {
  const [search, setSearch] = useState(props.start);
  return props.page({ search, onSearch: (change) => setSearch((before) => ({ ...before, ...change })) });
}

const list = (
  Page: (props: { search: ListSearch; onSearch: (change: ListSearch) => void }) => React.ReactNode,
  open?: string,
) => <Addressed<ListSearch> start={{ open }} page={(given) => <Page {...given} />} />;

const grace = exampleOf(userView, { username: "grace", email: "grace@example.com", displayName: hostile });

describe("users", () => {
  const users = { "GET /api/users": { users: [grace], total: 1 } };

  it("invites a user and shows the link once", async () => {
    const invited = {
      user: grace,
      inviteUrl: "https://butler.example/invite/secret",
      expiresAt: "2026-06-01T00:00:00Z",
    };
    const { asked } = await renderPage(list(Users), { answers: { ...users, "POST /api/admin/users": invited } });
    await userEvent.click(await screen.findByRole("button", { name: "Invite user" }));
    await userEvent.type(screen.getByLabelText("Email address"), "grace@example.com");
    await userEvent.click(screen.getByRole("button", { name: "Invite" }));
    expect(await screen.findByText("https://butler.example/invite/secret")).toBeTruthy();
    expect(asked.find(({ method }) => method === "POST")?.body).toEqual({ email: "grace@example.com" });
    await userEvent.click(screen.getByRole("button", { name: "Done" }));
    expect(screen.queryByText("https://butler.example/invite/secret")).toBeNull();
  });

  it("shows hostile names as text, disables, and requires the name to delete", async () => {
    const answers = {
      ...users,
      "GET /api/admin/users/grace/sessions": { sessions: [], total: 0 },
      "POST /api/admin/users/grace/disable": { ...grace, disabled: true },
      "DELETE /api/admin/users/grace": { message: "gone" },
    };
    const { asked, container } = await renderPage(list(Users, "grace"), { answers });
    const drawer = await screen.findByRole("dialog");
    expect(within(drawer).getByText(hostile)).toBeTruthy();
    expect(container.ownerDocument.querySelector("img")).toBeNull();
    await userEvent.click(within(drawer).getByRole("button", { name: "Disable" }));
    await userEvent.click(within(drawer).getByRole("button", { name: "Delete…" }));
    const confirm: HTMLButtonElement = await screen.findByRole("button", { name: "Delete" });
    expect(confirm.disabled).toBe(true);
    await userEvent.type(screen.getByLabelText(/to confirm/), "grace");
    await userEvent.click(confirm);
    expect(asked.map(({ method, path }) => `${method} ${path}`)).toEqual(
      expect.arrayContaining(["POST /api/admin/users/grace/disable", "DELETE /api/admin/users/grace"]),
    );
  });

  it("offers platform viewers no actions", async () => {
    const { asked } = await renderPage(list(Users, "grace"), { answers: users, me: { platformRole: "viewer" } });
    const drawer = await screen.findByRole("dialog");
    expect(within(drawer).queryByRole("button", { name: /Disable|Delete/ })).toBeNull();
    expect(asked.some(({ path }) => path.endsWith("/sessions"))).toBe(false);
  });
});

describe("teams", () => {
  const team = {
    name: "payments",
    displayName: "Payments",
    description: "",
    namespace: "payments",
    phase: "Ready",
    clusterCount: 2,
    memberCount: 1,
    groupCount: 0,
    labels: {},
    createdAt: "2026-06-01T12:00:00Z",
    environments: [],
  };

  it("creates a team after client-side validation", async () => {
    const answers = { "GET /api/teams": { teams: [team], total: 1 }, "POST /api/teams": team };
    const { asked } = await renderPage(list(AllTeams), { answers });
    await userEvent.click(await screen.findByRole("button", { name: "New team" }));
    await userEvent.type(screen.getByLabelText("Name"), "Big Team");
    await userEvent.click(screen.getByRole("button", { name: "Create" }));
    expect(screen.getByText(/lowercase letters/)).toBeTruthy();
    await userEvent.clear(screen.getByLabelText("Name"));
    await userEvent.type(screen.getByLabelText("Name"), "big-team");
    await userEvent.click(screen.getByRole("button", { name: "Create" }));
    expect(asked.filter(({ method }) => method === "POST")).toEqual([
      { method: "POST", path: "/api/teams", body: { name: "big-team" } },
    ]);
  });

  it("blocks deleting a team with clusters, and shows why", async () => {
    await renderPage(list(AllTeams, "payments"), { answers: { "GET /api/teams": { teams: [team], total: 1 } } });
    await userEvent.click(await screen.findByRole("button", { name: "Delete…" }));
    expect(screen.getByText(/still has 2 clusters/)).toBeTruthy();
    expect(screen.getByRole<HTMLButtonElement>("button", { name: "Delete" }).disabled).toBe(true);
  });
});

it("fills an identity provider from a preset and tests its issuer", async () => {
  const preset = {
    id: "okta",
    displayName: "Okta",
    issuerURL: "https://{domain}.okta.com",
    scopes: ["openid"],
    groupsClaim: "groups",
    emailClaim: "email",
    notes: "Make an application.",
  };
  const all = "/api/admin/identity-providers";
  const { asked } = await renderPage(list(Identity), {
    answers: {
      [`GET ${all}`]: { identityProviders: [], total: 0 },
      [`GET ${all}/presets`]: { presets: [preset], total: 1 },
      [`POST ${all}/test`]: { valid: false, message: "the issuer does not answer" },
    },
  });
  await userEvent.click(await screen.findByRole("button", { name: "Add identity provider" }));
  await userEvent.click(await screen.findByRole("button", { name: "Okta" }));
  const test = screen.getByRole<HTMLButtonElement>("button", { name: "Test issuer" });
  expect(test.disabled).toBe(true);
  await userEvent.clear(screen.getByLabelText("Issuer URL"));
  await userEvent.type(screen.getByLabelText("Issuer URL"), "https://example.okta.com");
  await userEvent.click(test);
  expect(await screen.findByText("the issuer does not answer")).toBeTruthy();
  expect(asked.at(-1)?.body).toEqual({ issuerURL: "https://example.okta.com" });
});

it("draws a network and zooms into a band", async () => {
  const pool = { spec: { cidr: "10.40.0.0/24", reserved: [{ cidr: "10.40.0.0/28" }], quarantine: "5m" } };
  const parts = addressMap({ pool, allocations: [], now: new Date() });
  const map = (
    <Addressed<{ zoom?: string | undefined }>
      start={{}}
      page={({ search, onSearch }) => (
        <AddressMap cidr="10.40.0.0/24" parts={parts} zoom={search.zoom} onZoom={(zoom) => onSearch({ zoom })} />
      )}
    />
  );
  await renderPage(map, { answers: {} });
  const bands = await screen.findAllByRole("button", { name: /Zoom into/ });
  expect(bands.map((band) => band.getAttribute("aria-label"))).toContain("Zoom into 10.40.0.0/28: Reserved 16");
  expect(bands).toHaveLength(16);
  await userEvent.click(screen.getByRole("button", { name: /Zoom into 10.40.0.16\/28/ }));
  expect(screen.getByRole("img", { name: "Free 16" })).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Show all of 10.40.0.0/24" }));
  expect(screen.getAllByRole("button", { name: /Zoom into/ })).toHaveLength(16);
});

it("searches the audit log, shows older records and verifies the log", async () => {
  const entry = (id: string) => ({
    id,
    timestamp: "2026-06-01T12:00:00Z",
    requestId: "r",
    user: "ada@example.com",
    action: "scale",
    resourceType: "TenantCluster",
    resourceName: hostile,
    resourceNamespace: "payments",
    teamRef: "payments",
    httpMethod: "PATCH",
    path: "/api",
    statusCode: 200,
    success: true,
    outcome: "success",
    code: "",
    fields: [],
    sourceIP: "192.0.2.7",
  });
  const answers = {
    "GET /api/admin/audit": { entries: [entry("a.1")], nextCursor: "next" },
    "GET /api/admin/audit/verify": { isIntact: true, anchor: "valid", chains: [] },
  };
  const page = <Addressed<AuditSearch> start={{}} page={(given) => <Audit {...given} />} />;
  const { asked, container } = await renderPage(page, { answers });
  await userEvent.click(await screen.findByRole("button", { name: "Show older records" }));
  await userEvent.type(screen.getByLabelText("Team"), "payments");
  await userEvent.click(screen.getByRole("button", { name: "Search" }));
  await userEvent.click(screen.getByRole("button", { name: "Verify log" }));
  expect(await screen.findByText(/Audit log intact/)).toBeTruthy();
  expect(asked.filter(({ path }) => path === "/api/admin/audit")).toHaveLength(3);
  expect(container.querySelector("img")).toBeNull();
});

it("generates a provider manifest without credentials", async () => {
  await renderPage(list(Providers), { answers: { "GET /api/providers": { providers: [], total: 0 } } });
  await userEvent.click(await screen.findByRole("button", { name: "Add provider" }));
  await userEvent.type(screen.getByLabelText("Name"), "lab");
  await userEvent.type(screen.getByLabelText("VM network"), "default/vlan40");
  await userEvent.click(screen.getByRole("button", { name: "Show manifest" }));
  expect(screen.getByLabelText("Provider manifest").textContent).toContain('networkName: "default/vlan40"');
  expect(screen.getByLabelText("Create the Secret").textContent).toContain("--from-file=kubeconfig");
});

it("saves one settings section, and sends only changes", async () => {
  const settings = {
    spec: { multiTenancy: { mode: "Enforced" as const }, defaultNamespace: "butler-tenants" },
    resourceVersion: "7",
  };
  const { asked } = await renderPage(<Settings settings={settings} />, {
    answers: { "PUT /api/admin/config": settings },
  });
  const limits = await screen.findByRole("region", { name: "Default team limits" });
  await userEvent.type(within(limits).getByLabelText("Clusters"), "5");
  await userEvent.click(within(limits).getByRole("button", { name: "Save" }));
  expect(asked).toEqual([
    {
      method: "PUT",
      path: "/api/admin/config",
      body: { spec: { defaultTeamLimits: { maxClusters: 5 } }, resourceVersion: "7" },
    },
  ]);
});

it("creates a policy", async () => {
  const all = "/api/admin/policies";
  const { asked } = await renderPage(list(Policies), {
    answers: { [`GET ${all}`]: { policies: [], total: 0 }, [`POST ${all}`]: {} },
  });
  await userEvent.click(await screen.findByRole("button", { name: "New policy" }));
  await userEvent.type(screen.getByLabelText("Name"), "images");
  await userEvent.selectOptions(screen.getByLabelText("Images"), "pin");
  await userEvent.type(screen.getByLabelText("Images: IDs"), "default/rocky");
  await userEvent.click(screen.getByRole("button", { name: "Create" }));
  expect(asked.find(({ method }) => method === "POST")?.body).toEqual({
    name: "images",
    spec: { scope: { clusterWide: {} }, options: { image: { mode: "pin", values: ["default/rocky"] } } },
  });
});

it("shows a catalog entry without unsafe links", async () => {
  const links = { docs: "https://docs.example.com", bad: "javascript:alert(1)" };
  const entry = exampleOf(catalogEntry, { displayName: hostile, links });
  const answers = { "GET /api/addons/catalog": { addons: [entry], total: 1, categories: [] } };
  await renderPage(list(Catalog, "cert-manager"), { answers });
  const drawer = await screen.findByRole("dialog");
  expect(
    within(drawer)
      .getAllByRole("link")
      .map((link) => link.textContent?.trim()),
  ).toEqual(["docs"]);
});

it("shows fleet totals and what needs attention", async () => {
  const cluster = {
    apiVersion: "butler.butlerlabs.dev/v1alpha1" as const,
    kind: "TenantCluster" as const,
    metadata: { name: "shop", namespace: "payments" },
    spec: { workers: { replicas: 3 }, kubernetesVersion: "v1.34.1" },
    status: { phase: "Failed", conditions: [{ type: "Ready", status: "False", reason: "X", message: "no addresses" }] },
  } as never;
  const empty = { providers: [], pools: [], identityProviders: [], total: 0 };
  await renderPage(<Fleet clusters={[cluster]} />, {
    answers: {
      "GET /api/providers": empty,
      "GET /api/admin/networks": empty,
      "GET /api/admin/identity-providers": empty,
    },
  });
  const panel = await screen.findByRole("region", { name: "Needs attention" });
  expect(within(panel).getByText("no addresses")).toBeTruthy();
  expect(within(panel).getByRole("link", { name: "shop" }).getAttribute("href")).toBe(
    "/t/payments/clusters/payments/shop",
  );
});
