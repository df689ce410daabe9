import { builtinKinds } from "@butler/resource";
import { describeError, InvalidInput, Timeout, Unavailable } from "@butler/std";
import { eventually } from "@butler/testkit";
import { describe, expect, test } from "vitest";
import { TenantUnreachable } from "./tenant-unreachable.ts";
import { type KubeconfigChange, PlayedTenant } from "./testing/played-tenant.ts";
import { blue, late, list, never, quickly, startClients as start } from "./testing/started-clients.ts";

/** What each test has for itself, since several run at the same time. */
interface Fixtures {
  readonly tenant: PlayedTenant;
  readonly startClients: (options?: Parameters<typeof start>[0]) => ReturnType<typeof start>;
}

const it = test.extend<Fixtures>({
  tenant: async ({ onTestFinished }, use) => {
    const tenant = await PlayedTenant.start();
    onTestFinished(() => tenant.close());
    await use(tenant);
  },
  startClients: async ({ onTestFinished }, use) => use((options) => start(options, onTestFinished)),
});

// At the same time, because most of their time is spent on waiting for limits.
describe.concurrent("the client of a tenant", () => {
  it("is available at once, and reports once that the tenant is reachable", async ({ tenant, startClients }) => {
    const { clients, kubeconfigs, events, metrics } = startClients();
    kubeconfigs.set(blue, tenant.kubeconfig());
    for (let at = 0; at < 3; at++) await list(await clients.clientFor(blue, never));
    expect(tenant.asked).toEqual(Array(3).fill("/api/v1/configmaps"));
    expect(events).toEqual(["reachable team/blue-kubeconfig"]);
    expect(await metrics.value("butler_tenant_connects_total", { occasion: "first" })).toBe(1);
    expect(await metrics.value("butler_tenant_connections", { state: "reachable" })).toBe(1);
  });

  it("is rejected without a kubeconfig, without keeping any state", async ({ tenant, startClients }) => {
    const { clients, kubeconfigs, events } = startClients();
    await expect(clients.clientFor(blue, never)).rejects.toThrow("tenant team/blue-kubeconfig has no kubeconfig");
    expect(clients.size).toBe(0);
    // A listener that asks again when notified would be notified again.
    expect(events).toEqual([]);
    kubeconfigs.set(blue, tenant.kubeconfig());
    await list(await clients.clientFor(blue, never));
  });

  it.for<readonly [string, KubeconfigChange, string]>([
    ["a program", { user: { exec: { command: "/bin/true", apiVersion: "client.authentication.k8s.io/v1" } } }, "exec"],
    ["a file", { user: { tokenFile: "/etc/hostname" } }, "tokenFile"],
    ["TLS verification disabled", { cluster: { "insecure-skip-tls-verify": true } }, "insecure-skip-tls-verify"],
    ["a proxy", { cluster: { "proxy-url": "http://127.0.0.1:1" } }, "proxy-url"],
  ])(
    "is rejected for a kubeconfig with %s, also when it had a valid one before",
    async ([_what, change, named], { tenant, startClients }) => {
      const { clients, kubeconfigs } = startClients();
      kubeconfigs.set(blue, tenant.kubeconfig());
      const client = await clients.clientFor(blue, never);
      await list(client);
      kubeconfigs.set(blue, tenant.kubeconfig(change));
      await expect(list(client)).rejects.toThrow(InvalidInput);
      await expect(clients.clientFor(blue, never)).rejects.toThrow(named);
      await eventually(() => tenant.connections === 0, { what: "the end of the former connection" });
    },
  );

  it("uses a new kubeconfig as soon as it exists, and closes the former connections", async ({
    tenant,
    startClients,
    onTestFinished,
  }) => {
    const other = await PlayedTenant.start();
    onTestFinished(() => other.close());
    const { clients, kubeconfigs, events } = startClients();
    kubeconfigs.set(blue, tenant.kubeconfig());
    const client = await clients.clientFor(blue, never);
    await list(client);
    kubeconfigs.set(blue, other.kubeconfig());
    await list(client);
    expect(events).toContain("replaced team/blue-kubeconfig");
    expect([tenant.asked.length, other.asked.length]).toEqual([1, 1]);
    await eventually(() => tenant.connections === 0, { what: "the end of the former connection" });
  });

  it("polls for kubeconfig changes where there are no events, and continues after a failure", async ({
    tenant,
    startClients,
  }) => {
    let reads = 0;
    const texts: (string | undefined)[] = [tenant.kubeconfig(), tenant.kubeconfig()];
    const read = (): Promise<string | undefined> => {
      reads++;
      return texts.length === 0 ? Promise.reject(new Unavailable("not now")) : Promise.resolve(texts.shift());
    };
    const { clients } = startClients({ source: { read }, recheckMs: 0 });
    for (let at = 0; at < 3; at++) await list(await clients.clientFor(blue, never));
    expect(reads).toBe(3);
    const patient = startClients({
      source: { read: () => Promise.resolve(tenant.kubeconfig()).finally(() => reads++) },
    });
    for (let at = 0; at < 3; at++) await list(await patient.clients.clientFor(blue, never));
    expect(reads).toBe(4);
  });

  it("is dropped with the tenant, with its connections", async ({ tenant, startClients }) => {
    const { clients, kubeconfigs, events, metrics } = startClients();
    kubeconfigs.set(blue, tenant.kubeconfig());
    const client = await clients.clientFor(blue, never);
    await client.watch(builtinKinds.ConfigMap, { resourceVersion: "1" });
    expect(tenant.connections).toBe(1);
    kubeconfigs.set(blue, undefined);
    await eventually(() => events.includes("gone team/blue-kubeconfig"));
    await eventually(() => tenant.connections === 0, { what: "the end of the watch" });
    expect(clients.size).toBe(0);
    expect(await metrics.value("butler_tenant_connections")).toBe(0);
    await expect(list(client)).rejects.toThrow(Unavailable);
  });

  it("is dropped when idle, and works again on the next use", async ({ tenant, startClients }) => {
    const { clients, kubeconfigs, metrics } = startClients({ idleMs: 40 });
    kubeconfigs.set(blue, tenant.kubeconfig());
    const client = await clients.clientFor(blue, never);
    await list(client);
    await eventually(() => clients.size === 0 && tenant.connections === 0, { what: "the end of an idle client" });
    await list(client);
    expect(clients.size).toBe(1);
    expect(await metrics.value("butler_tenant_connects_total")).toBe(2);
  });

  it("closes everything on shutdown, and rejects further calls", async ({ tenant, startClients }) => {
    const { clients, kubeconfigs } = startClients();
    kubeconfigs.set(blue, tenant.kubeconfig());
    const client = await clients.clientFor(blue, never);
    tenant.manner = "is silent";
    const pending = list(client);
    await eventually(() => tenant.asked.length === 1);
    await clients.close();
    await expect(pending).rejects.toThrow(Unavailable);
    await eventually(() => tenant.connections === 0, { what: "the end of the connection" });
    await expect(list(client)).rejects.toThrow(Unavailable);
    await expect(clients.clientFor(blue, never)).rejects.toThrow(Unavailable);
  });
});

describe.concurrent("an unreachable tenant", () => {
  it("fails fast after a failed request and probe, with the cause and the time of the next attempt", async ({
    tenant,
    startClients,
  }) => {
    const { clients, kubeconfigs, events, metrics } = startClients({ backoff: late });
    kubeconfigs.set(blue, tenant.kubeconfig());
    const client = await clients.clientFor(blue, never);
    tenant.manner = "is silent";
    await expect(list(client)).rejects.toThrow(Timeout);
    await eventually(() => clients.stateOf(blue) === "unreachable");
    expect(events).toEqual(["unreachable team/blue-kubeconfig"]);
    const { asked } = tenant;
    const before = asked.length;
    const error = await list(client).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TenantUnreachable);
    expect(error).toMatchObject({ code: "UNAVAILABLE", cause: expect.any(Timeout) as Timeout });
    expect(describeError(error)).toMatch(/^tenant team.blue-kubeconfig is unreachable: .*timed out after 1000 ms$/);
    const waitMs = (error as TenantUnreachable).nextAttempt.getTime() - Date.now();
    expect(waitMs).toBeGreaterThan(1_700_000);
    expect(waitMs).toBeLessThanOrEqual(3_600_000);
    await expect(clients.clientFor(blue, never)).rejects.toThrow(TenantUnreachable);
    expect(asked.length).toBe(before);
    expect(await metrics.value("butler_tenant_requests_refused_total")).toBe(2);
    expect(await metrics.value("butler_tenant_probes_total", { outcome: "failed" })).toBe(1);
  });

  it("recovers automatically, and waiting callers are notified", async ({ tenant, startClients }) => {
    const { clients, kubeconfigs, events } = startClients();
    kubeconfigs.set(blue, tenant.kubeconfig());
    const client = await clients.clientFor(blue, never);
    await list(client);
    await tenant.close();
    await expect(list(client)).rejects.toThrow(Unavailable);
    await eventually(() => events.length === 2);
    await tenant.open();
    await eventually(() => events.length === 3);
    expect(events.map((event) => event.split(" ")[0])).toEqual(["reachable", "unreachable", "reachable"]);
    await list(client);
  });

  it("gets no requests until it reports ready", async ({ tenant, startClients }) => {
    const { clients, kubeconfigs, metrics } = startClients();
    kubeconfigs.set(blue, tenant.kubeconfig());
    const client = await clients.clientFor(blue, never);
    await tenant.close();
    await expect(list(client)).rejects.toThrow(Unavailable);
    await eventually(() => clients.stateOf(blue) === "unreachable");
    tenant.manner = "is not ready";
    await tenant.open();
    await eventually(async () => (await metrics.value("butler_tenant_probes_total", { outcome: "unready" })) >= 3);
    expect(clients.stateOf(blue)).toBe("unreachable");
    expect(tenant.asksFor("/api")).toBe(0);
    tenant.manner = "answers";
    await eventually(() => clients.stateOf(blue) === "reachable");
  });

  it("is not unreachable after one slow answer, nor after error responses", async ({ tenant, startClients }) => {
    const { clients, kubeconfigs, events, metrics } = startClients();
    kubeconfigs.set(blue, tenant.kubeconfig());
    const client = await clients.clientFor(blue, never);
    tenant.manner = "is silent";
    const slow = list(client);
    await eventually(() => tenant.asked.length === 1);
    tenant.manner = "answers";
    await expect(slow).rejects.toThrow(Timeout);
    await eventually(() => metrics.value("butler_tenant_probes_total", { outcome: "ready" }));
    tenant.manner = "is not ready";
    await expect(list(client)).rejects.toMatchObject({ details: { status: 500 } });
    expect(events).toEqual(["reachable team/blue-kubeconfig"]);
    expect(clients.stateOf(blue)).toBe("reachable");
  });

  it("is doubted after a caller's timeout, not after a cancellation", async ({ tenant, startClients }) => {
    const { clients, kubeconfigs, metrics } = startClients({ backoff: late });
    kubeconfigs.set(blue, tenant.kubeconfig());
    const client = await clients.clientFor(blue, never);
    tenant.manner = "is silent";
    const controller = new AbortController();
    const pending = list(client, controller.signal);
    await eventually(() => tenant.asked.length === 1);
    controller.abort(new Error("never mind"));
    await expect(pending).rejects.toThrow("never mind");
    expect(clients.stateOf(blue)).toBe("unknown");
    await expect(list(client, AbortSignal.timeout(50))).rejects.toThrow();
    await eventually(() => clients.stateOf(blue) === "unreachable");
    expect(await metrics.value("butler_tenant_request_failures_total", { reason: "unanswered" })).toBe(1);
  });

  it("is not probed once it is dropped", async ({ tenant, startClients }) => {
    const { clients, kubeconfigs } = startClients();
    kubeconfigs.set(blue, tenant.kubeconfig());
    const client = await clients.clientFor(blue, never);
    tenant.manner = "is silent";
    await expect(list(client)).rejects.toThrow(Timeout);
    await eventually(() => clients.stateOf(blue) === "unreachable");
    await clients.forget(blue);
    tenant.manner = "answers";
    const asked = tenant.asked.length;
    await new Promise((resolve) => setTimeout(resolve, 4 * quickly.maximumMs));
    expect(tenant.asked.length).toBe(asked);
    expect(clients.size).toBe(0);
  });

  it("is probed even without requests, since a listener may wait for it", async ({ tenant, startClients }) => {
    const { clients, kubeconfigs, events } = startClients({ idleMs: 20 });
    kubeconfigs.set(blue, tenant.kubeconfig());
    const client = await clients.clientFor(blue, never);
    await tenant.close();
    await expect(list(client)).rejects.toThrow(Unavailable);
    await eventually(() => clients.stateOf(blue) === "unreachable");
    await new Promise((resolve) => setTimeout(resolve, 100));
    await tenant.open();
    await eventually(() => events.at(-1) === "reachable team/blue-kubeconfig");
    await eventually(() => clients.size === 0, { what: "the end of an idle client" });
  });

  it("cannot delay a request beyond its limit with Retry-After", async ({ tenant, startClients }) => {
    const { clients, kubeconfigs } = startClients({ requestTimeoutMs: 1_000 });
    kubeconfigs.set(blue, tenant.kubeconfig());
    const client = await clients.clientFor(blue, never);
    tenant.manner = "says later";
    await expect(list(client)).rejects.toThrow("timed out after 3000 ms");
    await eventually(() => clients.stateOf(blue) === "reachable");
  });
});
