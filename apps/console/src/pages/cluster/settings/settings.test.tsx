// @vitest-environment happy-dom
import { TenantCluster } from "@butler/api";
import { Outlet } from "@tanstack/react-router";
import { cleanup, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { serve, type Sent, stage } from "../../../parts/testing-page.tsx";
import { aTeam, usage } from "../../../testing/a-team.ts";
import { SettingsTab } from "./settings.tab.tsx";

const team = aTeam({ environments: [{ name: "dev", clusterCount: 0 }] });
const one = "/api/clusters/payments/shop";

let role: "operator" | "viewer";
let isProtectionKept: boolean;
let server: ReturnType<typeof serve>;

beforeEach(() => {
  role = "operator";
  isProtectionKept = false;
  server = serve(answer);
});
afterEach(() => {
  cleanup();
  server.stop();
});

const cluster = (annotations: Readonly<Record<string, string>> = {}) => ({
  apiVersion: TenantCluster.apiVersion,
  kind: TenantCluster.kind,
  metadata: { name: "shop", namespace: "payments", annotations },
  spec: TenantCluster.spec.parse({ kubernetesVersion: "v1.34.1", workers: { replicas: 2 } }),
});

function answer({ method, path }: Sent): unknown {
  if (path === "/api/auth/me") {
    return { email: "ada@example.com", name: "Ada", isPlatformAdmin: false, teams: [{ name: "payments", role }] };
  }
  if (path === "/api/teams/payments") return team;
  if (path.endsWith("/usage")) return usage;
  if (path.endsWith("/addons")) return { addons: [], total: 0 };
  if (path.endsWith("/protection") && isProtectionKept) return undefined;
  if (method === "DELETE") return { message: "payments/shop is being deleted" };
  return path.startsWith(one) ? cluster() : undefined;
}

function open(loaded = cluster()) {
  return stage({
    path: "clusters/$namespace/$name",
    at: "/t/payments/clusters/payments/shop/settings",
    team,
    loaded,
    page: Outlet,
    child: { path: "settings", page: SettingsTab },
  });
}

const written = (): readonly Sent[] => server.sent.filter(({ method }) => method !== "GET");

describe("cluster settings", () => {
  it("scale, upgrade and move the cluster", async () => {
    const user = userEvent.setup();
    open();
    const machines = await screen.findByLabelText("Nodes in workers");
    await user.clear(machines);
    await user.type(machines, "4{Enter}");
    await user.type(screen.getByLabelText("Kubernetes version"), "v1.36.0");
    expect(screen.getByText(/to v1.36.0 directly; upgrade to v1.35 first/)).toBeTruthy();
    expect(screen.getByRole("button", { name: "Upgrade" })).toHaveProperty("disabled", true);
    await user.clear(screen.getByLabelText("Kubernetes version"));
    await user.type(screen.getByLabelText("Kubernetes version"), "v1.35.0{Enter}");
    await user.selectOptions(screen.getByLabelText("Move to"), "dev");
    await user.click(screen.getByRole("button", { name: "Move" }));
    await waitFor(() => expect(written()).toHaveLength(3));
    expect(written()).toEqual([
      { method: "PATCH", path: `${one}/scale`, body: { replicas: 4, pool: "workers" } },
      { method: "POST", path: `${one}/upgrade`, body: { version: "v1.35.0" } },
      { method: "PUT", path: `${one}/environment`, body: { environment: "dev" } },
    ]);
  });

  it("delete the cluster once its name is typed, and list the effects", async () => {
    const user = userEvent.setup();
    open();
    await user.click(await screen.findByRole("button", { name: "Delete cluster" }));
    expect(await screen.findByText(/^2 \(.*\), including their disks$/)).toBeTruthy();
    const field = screen.getByLabelText("Type shop to confirm");
    await user.type(field, "sho{Enter}");
    expect(screen.getByRole("button", { name: "Delete permanently" })).toHaveProperty("disabled", true);
    expect(written()).toEqual([]);
    await user.type(field, "p{Enter}");
    await waitFor(() => expect(written()).toEqual([{ method: "DELETE", path: one, body: undefined }]));
  });

  it("do not delete a protected cluster", async () => {
    open(cluster({ "butler.butlerlabs.dev/deletion-protection": "true" }));
    expect(await screen.findByRole("switch", { name: "Protected from deletion" })).toHaveProperty("checked", true);
    expect(screen.getByRole("button", { name: "Delete cluster" })).toHaveProperty("disabled", true);
  });

  it("protect the cluster, and show why protection fails", async () => {
    const user = userEvent.setup();
    open();
    const protection = await screen.findByRole("switch", { name: "Protected from deletion" });
    expect(protection).toHaveProperty("checked", false);
    await user.click(protection);
    expect(await screen.findByText("shop is protected")).toBeTruthy();
    expect(written()).toEqual([{ method: "PUT", path: `${one}/protection`, body: { enabled: true } }]);
    expect(protection).toHaveProperty("checked", true);
    isProtectionKept = true;
    await user.click(protection);
    expect(await screen.findByText(/answered 404/)).toBeTruthy();
    expect(protection).toHaveProperty("disabled", false);
    expect(written().at(-1)?.body).toEqual({ enabled: false });
  });

  it("are denied to viewers", async () => {
    role = "viewer";
    open();
    expect(await screen.findByText(/Requires the team operator role/)).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Delete cluster" })).toBeNull();
  });
});
