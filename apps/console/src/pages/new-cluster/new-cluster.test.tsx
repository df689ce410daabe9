// @vitest-environment happy-dom
import { TenantCluster } from "@butler/api";
import { cleanup, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { NewClusterPage } from "./new-cluster.page.tsx";
import { aTeam, usage } from "../../testing/a-team.ts";
import { serve, type Sent, stage } from "../../parts/testing-page.tsx";

const team = aTeam({
  clusterDefaults: { workerCount: 5 },
  resourceLimits: { defaultNodeCount: 3, maxTotalNodes: 10 },
  environments: [{ name: "dev", clusterCount: 0, clusterDefaults: { workerCount: 1 } }],
});
const me = { email: "ada@example.com", name: "Ada", isPlatformAdmin: false };

let role: "operator" | "viewer" = "operator";
let refusals: readonly object[] = [];
let server: ReturnType<typeof serve>;

beforeEach(() => {
  sessionStorage.clear();
  role = "operator";
  refusals = [];
  server = serve(answer);
});
afterEach(() => {
  cleanup();
  server.stop();
});

function answer({ path, body }: Sent): unknown {
  const made = { ...clusterOf(body) };
  if (path === "/api/auth/me") return { ...me, teams: [{ name: "payments", role }] };
  if (path === "/api/teams/payments") return team;
  if (path.endsWith("/usage")) return usage;
  if (path.endsWith("/providers")) return { providers: [], total: 0 };
  if (path === "/api/addons/catalog") return { addons: [], total: 0, categories: [] };
  if (path === "/api/clusters/plan") {
    return { isAccepted: refusals.length === 0, cluster: made, refusals, exceeded: [] };
  }
  return path === "/api/clusters" ? made : undefined;
}

function clusterOf(body: unknown): object {
  const { name = "", spec = {} } = (body ?? {}) as { name?: string; spec?: object };
  return {
    apiVersion: TenantCluster.apiVersion,
    kind: TenantCluster.kind,
    metadata: { name, namespace: "payments" },
    spec: TenantCluster.spec.parse(spec),
  };
}

const open = (search = "") =>
  stage({ path: "clusters/new", at: `/t/payments/clusters/new${search}`, team, page: NewClusterPage });

const bodyOf = (path: string): unknown => server.sent.findLast((each) => each.path === path)?.body;

describe("the wizard", () => {
  it("creates a cluster by keyboard alone", async () => {
    const user = userEvent.setup();
    const { router } = open();
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText("Name")));
    await user.keyboard("shop{Enter}");
    await screen.findByLabelText("Kubernetes version");
    await user.keyboard("{Enter}");
    const machines = await screen.findByLabelText("Nodes");
    expect(machines).toHaveProperty("value", "5");
    expect(screen.getByText("Default from team payments: 5.")).toBeTruthy();
    await user.keyboard("{Control>}a{/Control}2{Enter}");
    await screen.findByLabelText("Pod network");
    await user.keyboard("{Enter}");
    await screen.findByLabelText("Ingress");
    screen.getByRole("button", { name: "Next" }).focus();
    await user.keyboard("{Enter}");
    const create = await screen.findByRole("button", { name: "Create cluster" });
    await waitFor(() => expect(create).toHaveProperty("disabled", false));
    create.focus();
    await user.keyboard("{Enter}");
    await screen.findByText("elsewhere");
    expect(bodyOf("/api/clusters")).toEqual({ name: "shop", teamRef: "payments", spec: { workers: { replicas: 2 } } });
    expect(router.state.location.pathname).toBe("/t/payments/clusters/payments/shop");
    expect(sessionStorage.length).toBe(0);
  });

  it("uses the default of the environment, and keeps the draft across a reload", async () => {
    const user = userEvent.setup();
    open();
    await user.type(await screen.findByLabelText("Name"), "shop");
    await user.selectOptions(screen.getByLabelText("Environment"), "dev");
    cleanup();
    open("?step=pools");
    expect(await screen.findByLabelText("Nodes")).toHaveProperty("value", "1");
    expect(screen.getByText("Default from environment dev: 1.")).toBeTruthy();
    expect(await screen.findByText("3 used + 1 requested of 10")).toBeTruthy();
  });

  it("shows server refusals, also at the field, and blocks creation", async () => {
    const user = userEvent.setup();
    refusals = [{ field: "spec.networking.podCIDR", reason: "TAKEN", message: "overlaps <b>ours</b>" }];
    open();
    await user.type(await screen.findByLabelText("Name"), "shop");
    await user.click(screen.getByRole("link", { name: /Review/ }));
    expect(await screen.findByText("overlaps <b>ours</b>")).toBeTruthy();
    expect(screen.getByRole("button", { name: "Create cluster" })).toHaveProperty("disabled", true);
    await user.click(screen.getByRole("link", { name: /^Networking$/ }));
    const field = await screen.findByLabelText("Pod network");
    expect(field.getAttribute("aria-invalid")).toBe("true");
    await user.type(field, "10.9.0.0/16");
    await waitFor(() => expect(field.getAttribute("aria-invalid")).toBeNull());
  });

  it("syncs YAML edits to the form, and keeps the last valid version", async () => {
    const user = userEvent.setup();
    open("?view=yaml");
    const yaml = await screen.findByLabelText("Cluster manifest");
    await user.clear(yaml);
    await user.click(yaml);
    const { apiVersion, kind } = TenantCluster;
    await user.paste(
      `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata:\n  name: shop\nspec:\n  workers:\n    replicas: 7 # many\n`,
    );
    await user.type(yaml, "oops: [[");
    expect(await screen.findByRole("alert")).toBeTruthy();
    await user.click(screen.getByRole("link", { name: /Node pools/ }));
    expect(await screen.findByLabelText("Nodes")).toHaveProperty("value", "7");
  });

  it("is denied to viewers", async () => {
    role = "viewer";
    open();
    expect(await screen.findByText(/Requires the team operator role/)).toBeTruthy();
    expect(screen.queryByLabelText("Name")).toBeNull();
  });
});
