// @vitest-environment happy-dom
import { ToastProvider } from "@butler/ui";
import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { type ReactNode, useState } from "react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createQueryClient } from "../../data/query-client.ts";
import type { CatalogEntry } from "../../parts/addon-facts.ts";
import { anAddon } from "../../testing/an-addon.ts";
import { AddonDrawer } from "./addons/addon-drawer.tsx";
import { AddonTable } from "./addons/addons.tab.tsx";
import type { AddonTask } from "./addons/addons-search.ts";
import { EnableAddon } from "./addons/enable-addon.tsx";
import { AllocationTable } from "./addresses/addresses.tab.tsx";
import type { CertificateView } from "./certificates/certificate-facts.ts";
import { CertificateTable } from "./certificates/certificates.tab.tsx";
import { RotateDialog } from "./certificates/rotate-dialog.tsx";
import { TerminalHead } from "./terminal/terminal.tab.tsx";

const hostile = '<img src=x onerror="alert(1)">';
const cluster = { namespace: "payments", name: "shop" };
const addon = anAddon({
  values: { host: "a" },
  resourceVersion: "7",
  status: { phase: "Installed", installedVersion: "1.2.0", message: hostile, revision: 3 },
});
const entry: CatalogEntry = {
  name: "web",
  displayName: "Web",
  description: hostile,
  category: "web",
  chartRepository: "https://charts.example.com",
  chartName: "web",
  defaultVersion: "1.3.0",
  availableVersions: ["1.2.0"],
  defaultNamespace: "web",
  platform: false,
  dependsOn: ["store"],
  conflictsWith: [],
  valuesSchema: {
    properties: { host: { type: "string", title: "Host" }, replicas: { type: "integer", minimum: 1, default: 2 } },
  },
  source: "builtin",
  links: {},
};

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}
const sent: Sent[] = [];

beforeEach(() => {
  // happy-dom has no layout, and tables render only visible rows.
  for (const side of ["clientHeight", "clientWidth", "offsetHeight", "offsetWidth"] as const) {
    vi.spyOn(HTMLElement.prototype, side, "get").mockReturnValue(600);
  }
  sent.length = 0;
  vi.stubGlobal("fetch", (path: string, init: RequestInit = {}) => {
    const { method = "GET", body } = init;
    if (method !== "GET") sent.push({ method, path, body: typeof body === "string" ? JSON.parse(body) : undefined });
    const answer = path.endsWith("/rotate") ? { type: "all", affectedSecrets: [], message: "It is done" } : addon;
    return Promise.resolve(Response.json(answer));
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

function show(content: ReactNode) {
  const queries = createQueryClient();
  return render(
    <QueryClientProvider client={queries}>
      <ToastProvider>{content}</ToastProvider>
    </QueryClientProvider>,
  );
}

function Drawer({ role }: { readonly role: "viewer" | "operator" }) {
  const [task, setTask] = useState<AddonTask>();
  return (
    <AddonDrawer
      cluster={cluster}
      live={{ ...addon, values: undefined }}
      entry={entry}
      task={task}
      roles={{ teamRole: role }}
      onTask={setTask}
      onClose={() => undefined}
    />
  );
}

const click = (name: string) => userEvent.click(screen.getByRole("button", { name }));

describe("an add-on", () => {
  it("applies values only after showing the diff, with the resourceVersion that was read", async () => {
    show(<Drawer role="operator" />);
    await screen.findByRole("button", { name: "Configure" });
    await click("Configure");
    await userEvent.type(screen.getByLabelText("replicas"), "3");
    await click("Review changes");
    expect(sent).toEqual([]);
    expect(screen.getByLabelText("Changes to values").textContent).toContain("replicas: 3");
    await click("Apply");
    await vi.waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]).toEqual({
      method: "PUT",
      path: "/api/clusters/payments/shop/addons/web-shop",
      body: { values: { host: "a", replicas: 3 }, resourceVersion: "7" },
    });
  });

  it("shows validation errors and blocks the review", async () => {
    show(<Drawer role="operator" />);
    await screen.findByRole("button", { name: "Configure" });
    await click("Configure");
    await userEvent.type(screen.getByLabelText("replicas"), "0");
    expect(screen.getByRole("alert").textContent).toContain("Must be at least 1.");
    expect(screen.getByRole<HTMLButtonElement>("button", { name: "Review changes" }).disabled).toBe(true);
  });

  it("is upgraded to the newest available version", async () => {
    show(<Drawer role="operator" />);
    await screen.findByRole("button", { name: "Upgrade to 1.3.0" });
    await click("Upgrade to 1.3.0");
    await click("Change version");
    await vi.waitFor(() => expect(sent[0]?.body).toEqual({ version: "1.3.0" }));
  });

  it("is rolled back to an earlier revision", async () => {
    show(<Drawer role="operator" />);
    await screen.findByRole("button", { name: "Roll back" });
    await click("Roll back");
    await userEvent.selectOptions(screen.getByLabelText("Revision"), "1");
    await click("Roll back");
    await vi.waitFor(() => expect(sent[0]?.body).toEqual({ revision: 1 }));
  });

  it("is disabled once its name is typed", async () => {
    show(<Drawer role="operator" />);
    await screen.findByRole("button", { name: "Disable" });
    await click("Disable");
    const button = screen.getByRole<HTMLButtonElement>("button", { name: "Disable" });
    expect(button.disabled).toBe(true);
    await userEvent.type(screen.getByLabelText("Type web-shop to confirm"), "web-shop");
    await click("Disable");
    await vi.waitFor(() => expect(sent[0]?.method).toBe("DELETE"));
  });

  it("offers viewers no actions, shows why, and renders hostile text as text", async () => {
    show(<Drawer role="viewer" />);
    expect(await screen.findByText(/Requires the team operator role/)).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Configure" })).toBeNull();
    expect(screen.getByText(hostile)).toBeTruthy();
    expect(document.querySelector("img")).toBeNull();
  });

  it("is enabled from the catalog, showing missing dependencies", async () => {
    const enabled: string[] = [];
    show(
      <EnableAddon
        cluster={cluster}
        entries={[entry]}
        installed={[]}
        chosen="web"
        onChoose={() => undefined}
        onClose={() => undefined}
        onEnabled={(name) => enabled.push(name)}
      />,
    );
    expect(screen.getByText(/Depends on store, not installed on this cluster/)).toBeTruthy();
    await userEvent.type(screen.getByLabelText("Host"), "shop.example.com");
    await click("Enable");
    await vi.waitFor(() => expect(enabled).toEqual(["web-shop"]));
    expect(sent[0]?.body).toEqual({ addon: "web", values: { host: "shop.example.com" } });
  });
});

describe("tables", () => {
  it("show add-ons with phase and available upgrade", () => {
    const opened: string[] = [];
    show(<AddonTable addons={[addon]} entries={[entry]} onOpen={(name) => opened.push(name)} />);
    expect(screen.getByText("Installed")).toBeTruthy();
    expect(screen.getByText("1.3.0", { exact: false })).toBeTruthy();
    fireEvent.click(screen.getByText("Web"));
    expect(opened).toEqual(["web-shop"]);
  });

  it("show certificates by remaining validity", () => {
    const certificate: CertificateView = {
      subject: "kube-apiserver",
      notBefore: "2026-01-01T00:00:00Z",
      notAfter: "2026-06-01T00:00:00Z",
      daysUntilExpiry: 5,
      healthStatus: "Critical",
      secretName: "s",
      secretKey: "tls.crt",
      category: "api-server",
      isCA: false,
      dnsNames: [],
      ipAddresses: [],
      fingerprint: "AB",
    };
    show(<CertificateTable certificates={[certificate]} onOpen={() => undefined} />);
    expect(screen.getByText("Expires within 7 days")).toBeTruthy();
    expect(screen.getByText("5 days left")).toBeTruthy();
  });

  it("show an empty state without allocations", () => {
    show(<AllocationTable allocations={[]} />);
    expect(screen.getByText("No allocations")).toBeTruthy();
  });
});

describe("rotation", () => {
  it("of the CA requires typing the cluster name", async () => {
    show(<RotateDialog cluster={cluster} mayReplaceAuthority onClose={() => undefined} />);
    await userEvent.selectOptions(screen.getByLabelText("Scope"), "ca");
    expect(screen.getByRole<HTMLButtonElement>("button", { name: "Rotate" }).disabled).toBe(true);
    await userEvent.type(screen.getByLabelText("Type shop to confirm"), "shop");
    await click("Rotate");
    await vi.waitFor(() => expect(sent[0]?.body).toEqual({ type: "ca", acknowledge: true }));
  });

  it("of the CA is not offered to operators", () => {
    show(<RotateDialog cluster={cluster} mayReplaceAuthority={false} onClose={() => undefined} />);
    expect(screen.queryByRole("option", { name: "CA and all certificates" })).toBeNull();
  });
});

it("shows why a terminal ended and offers a new one", async () => {
  const started: string[] = [];
  const ticket = {
    id: "1",
    url: "/",
    ticket: "t",
    ticketExpiresAt: "",
    expiresAt: "2026-06-01T13:00:00Z",
    role: "view",
  } as const;
  const end = { sentence: "The shell exited.", isFailure: false };
  show(<TerminalHead state={{ kind: "ended", ticket, end }} onRestart={() => started.push("again")} />);
  expect(screen.getByText("The shell exited.")).toBeTruthy();
  await click("New terminal");
  expect(started).toEqual(["again"]);
});
