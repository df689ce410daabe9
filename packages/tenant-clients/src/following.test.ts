import { builtinKinds } from "@butler/resource";
import { eventually } from "@butler/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { PlayedTenant } from "./testing/played-tenant.ts";
import { blue, startClients } from "./testing/started-clients.ts";

const kind = builtinKinds.ConfigMap;
let tenant: PlayedTenant;
beforeEach(async () => {
  tenant = await PlayedTenant.start();
});
afterEach(() => tenant.close());

describe("following a kind", () => {
  it("starts as soon as a kubeconfig exists, and reports an empty list too", async () => {
    const { clients, kubeconfigs, events } = startClients();
    let changes = 0;
    const following = clients.follow(blue, { kind, onChange: () => changes++ });
    await eventually(() => clients.size === 0, { what: "the first attempt without a kubeconfig" });
    expect([following.isSynced, changes]).toEqual([false, 0]);
    kubeconfigs.set(blue, tenant.kubeconfig());
    await eventually(() => following.isSynced && changes > 0, { timeoutMs: 5_000 });
    expect(following.list()).toEqual([]);
    // The same list reports that the tenant is reachable, and is not restarted for that.
    expect(tenant.asked.filter((path) => path === "/api/v1/configmaps").length).toBeLessThanOrEqual(2);
    expect(events).toContain("reachable team/blue-kubeconfig");
  });

  it("sends no requests while the tenant is unreachable, and resumes at once when it recovers", async () => {
    const { clients, kubeconfigs, metrics } = startClients();
    await tenant.close();
    kubeconfigs.set(blue, tenant.kubeconfig());
    const following = clients.follow(blue, { kind, onChange: () => undefined });
    await eventually(() => clients.stateOf(blue) === "unreachable");
    tenant.manner = "is not ready";
    await tenant.open();
    await eventually(() => tenant.probes > 12);
    expect(tenant.asksFor("/api")).toBe(0);
    expect(await metrics.value("butler_tenant_requests_refused_total")).toBe(0);
    tenant.manner = "answers";
    await eventually(() => following.isSynced, { timeoutMs: 5_000 });
  });

  it("ends when the tenant is deleted, and when it is stopped", async () => {
    const { clients, kubeconfigs } = startClients({ idleMs: 20 });
    kubeconfigs.set(blue, tenant.kubeconfig());
    const [first, second] = [0, 1].map(() => clients.follow(blue, { kind, onChange: () => undefined }));
    await eventually(() => first?.isSynced === true && second?.isSynced === true);
    await first?.stop();
    // As long as one is left, the tenant is not idle.
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(clients.size).toBe(1);
    kubeconfigs.set(blue, undefined);
    await eventually(() => clients.size === 0 && tenant.connections === 0, { what: "the end of all connections" });
    const asked = tenant.asked.length;
    kubeconfigs.set(blue, tenant.kubeconfig());
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(tenant.asked.length).toBe(asked);
    await clients.close();
    expect(() => clients.follow(blue, { kind, onChange: () => undefined })).toThrow("process is shutting down");
  });
});
