import { describeError, Unauthenticated } from "@butler/std";
import { eventually } from "@butler/testkit";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { PlayedTenant } from "./testing/played-tenant.ts";
import { blue, late, list, never, startClients, startSilent } from "./testing/started-clients.ts";

let tenant: PlayedTenant;
beforeEach(async () => {
  tenant = await PlayedTenant.start();
});
afterEach(() => tenant.close());

describe("credentials that are not accepted", () => {
  it("are read again at once, and the request succeeds with the new ones", async () => {
    let text = tenant.kubeconfig();
    const { clients, metrics } = startClients({ source: { read: () => Promise.resolve(text) }, recheckMs: 3_600_000 });
    const client = await clients.clientFor(blue, never);
    await list(client);
    tenant.token = "new";
    text = tenant.kubeconfig({ token: "new" });
    await list(client);
    expect(clients.stateOf(blue)).toBe("reachable");
    expect(await metrics.value("butler_tenant_connects_total", { occasion: "changed" })).toBe(1);
    expect(await metrics.value("butler_tenant_request_failures_total", { reason: "unauthenticated" })).toBe(1);
  });

  it("make the tenant unreachable until there are new ones", async () => {
    const { clients, kubeconfigs } = startClients({ backoff: late });
    kubeconfigs.set(blue, tenant.kubeconfig({ token: "wrong" }));
    const client = await clients.clientFor(blue, never);
    await expect(list(client)).rejects.toThrow(Unauthenticated);
    await eventually(() => clients.stateOf(blue) === "unreachable");
    await expect(list(client).catch(describeError)).resolves.toContain("who are you?");
    kubeconfigs.set(blue, tenant.kubeconfig());
    await eventually(() => clients.stateOf(blue) === "reachable");
    await list(client);
  });

  it("are not sent to a server of another CA, which is trusted once the kubeconfig has that CA", async () => {
    const other = await PlayedTenant.start();
    onTestFinished(() => other.close());
    const { clients, kubeconfigs, metrics } = startClients({ backoff: late });
    kubeconfigs.set(blue, tenant.kubeconfig({ caPem: other.authority.cert }));
    const client = await clients.clientFor(blue, never);
    await expect(list(client)).rejects.toThrow(/certificate/);
    await eventually(() => clients.stateOf(blue) === "unreachable");
    expect(tenant.asked).toEqual([]);
    expect(await metrics.value("butler_tenant_request_failures_total", { reason: "untrusted" })).toBe(1);
    kubeconfigs.set(blue, tenant.kubeconfig());
    await eventually(() => clients.stateOf(blue) === "reachable");
    await list(client);
  });
});

describe("many tenants", () => {
  it("are served while others hang, even with few concurrent connects", async () => {
    const silent = await startSilent();
    const { clients, kubeconfigs } = startClients({
      concurrentConnects: 4,
      requestTimeoutMs: 20_000,
      probeTimeoutMs: 20_000,
    });
    const keys = Array.from({ length: 50 }, (_, at) => ({ name: `tenant-${at}` }));
    const hangs = (at: number): boolean => at < 10;
    for (const [at, key] of keys.entries()) {
      kubeconfigs.set(key, tenant.kubeconfig(hangs(at) ? { port: silent.port } : { path: `/${key.name}` }));
    }
    let ended = 0;
    const ask = async (key: { name: string }): Promise<void> => void (await list(await clients.clientFor(key, never)));
    const hanging = keys.filter((_, at) => hangs(at)).map((key) => ask(key).finally(() => ended++));
    void Promise.allSettled(hanging);
    const served = keys.filter((_, at) => !hangs(at));
    await Promise.all(served.map(ask));
    await Promise.all(served.map(ask));
    expect(served.map(({ name }) => tenant.asksFor(`/${name}`))).toEqual(Array(40).fill(2));
    expect(ended).toBe(0);
    expect(silent.connections()).toBe(10);
    expect(clients.size).toBe(50);
    await clients.close();
    await Promise.allSettled(hanging);
    expect(ended).toBe(10);
    await eventually(() => tenant.connections === 0, { what: "the end of connections" });
  });
});
