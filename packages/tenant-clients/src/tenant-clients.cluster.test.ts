import { buildKubeconfig, createAuthority, issueCertificate } from "@butler/pki";
import { Informer, type KubeClient } from "@butler/kube";
import { builtinKinds, keyText, type KubeObject } from "@butler/resource";
import { Unauthenticated, Unavailable } from "@butler/std";
import { MetricsRegistry } from "@butler/telemetry";
import { eventually, aTestCluster, type TestCluster } from "@butler/testkit";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { secretKubeconfigs } from "./kubeconfig-source.ts";
import { TenantClients, type TenantClientsOptions } from "./tenant-clients.ts";
import { TenantUnreachable } from "./tenant-unreachable.ts";

const { ConfigMap, Secret } = builtinKinds;
const never = new AbortController().signal;
const namespace = "team-blue";

let management: TestCluster;
let tenant: TestCluster;
let key: { readonly name: string; readonly namespace: string };
let made = 0;

beforeAll(async () => {
  management = await aTestCluster({ mine: { name: "tenants-home" } });
  tenant = await aTestCluster({ mine: { name: "tenants-blue" } });
  await management.createNamespace(namespace);
  await tenant.createNamespace("shop");
});
afterAll(async () => {
  await Promise.all([tenant?.stop(), management?.stop()]);
});
beforeEach(() => {
  key = { namespace, name: `blue-${++made}-kubeconfig` };
});

/** Writes the Secret as Cluster API does. */
async function writeSecret(kubeconfig: object, of = key): Promise<void> {
  const secret = {
    apiVersion: "v1",
    kind: "Secret",
    metadata: of,
    data: { value: Buffer.from(JSON.stringify(kubeconfig)).toString("base64") },
  } as KubeObject;
  await management.client.apply(Secret, secret, { fieldManager: "test" });
}

/** The kubeconfig of a user in the tenant. */
async function kubeconfigOf(user: string, groups: readonly string[] = ["system:masters"]): Promise<object> {
  return (await tenant.controlPlane.issueClientCertificate({ user, groups })).kubeconfig;
}

function start(options: Partial<TenantClientsOptions> = {}) {
  const metrics = new MetricsRegistry();
  const clients = new TenantClients({
    source: secretKubeconfigs({ client: management.client }),
    metrics,
    requestTimeoutMs: 2_000,
    probeTimeoutMs: 1_000,
    backoff: { initialMs: 50, maximumMs: 400, factor: 2, jitter: 0.5 },
    ...options,
  });
  const events: string[] = [];
  clients.subscribe(({ type, key: of }) => events.push(`${type} ${keyText(of)}`));
  onTestFinished(() => clients.close());
  return { clients, metrics, events };
}

/** A source that a watch of the Secrets' metadata keeps informed. */
async function watchedSource(): Promise<TenantClientsOptions["source"]> {
  const informer = new Informer(management.client, Secret, { namespace, metadataOnly: true });
  const end = new AbortController();
  const running = informer.run(end.signal);
  onTestFinished(async () => {
    end.abort();
    await running;
  });
  await informer.synced;
  return secretKubeconfigs({ client: management.client, informer });
}

const whoami = {
  kind: "SelfSubjectReview",
  plural: "selfsubjectreviews",
  group: "authentication.k8s.io",
  version: "v1",
};

async function userOf(client: KubeClient): Promise<unknown> {
  const review = { apiVersion: "authentication.k8s.io/v1", kind: whoami.kind, metadata: { name: "" } };
  const answer = await client.create({ ...whoami, scope: "Cluster" }, review);
  return (answer as unknown as { status: { userInfo: { username: string } } }).status.userInfo.username;
}

const aConfigMap = (name: string): KubeObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace: "shop" },
});

describe("a tenant whose kubeconfig is in a Secret", () => {
  it("is reached with new credentials as soon as the Secret has them, and dropped with the Secret", async () => {
    const { clients, events } = start({ source: await watchedSource() });
    await expect(clients.clientFor(key, never)).rejects.toThrow(Unavailable);
    await writeSecret(await kubeconfigOf("first"));
    const client = await clients.clientFor(key, never);
    expect(await userOf(client)).toBe("first");
    await writeSecret(await kubeconfigOf("second"));
    await eventually(async () => (await userOf(client)) === "second");
    expect(clients.stateOf(key)).toBe("reachable");
    await management.client.delete(Secret, key);
    await eventually(() => clients.size === 0, { what: "the end of the client" });
    await expect(userOf(client)).rejects.toThrow("has no kubeconfig");
    expect(new Set(events)).toEqual(
      new Set(["gone", "reachable", "replaced"].map((type) => `${type} ${keyText(key)}`)),
    );
  });

  it("recovers once the Secret has valid credentials, even without a watch event", async () => {
    const { clients, metrics } = start({ recheckMs: 3_600_000 });
    const authority = await createAuthority("another");
    const usages = ["client"] as const;
    const stranger = await issueCertificate(authority, { commonName: "x", organizations: ["system:masters"], usages });
    const { server, caPem } = tenant.controlPlane;
    await writeSecret(buildKubeconfig({ name: "blue", user: "x", server, caPem, client: stranger }));
    const client = await clients.clientFor(key, never);
    await expect(userOf(client)).rejects.toThrow(Unauthenticated);
    await eventually(() => clients.stateOf(key) === "unreachable");
    await writeSecret(await kubeconfigOf("renewed"));
    // No event and no request reports the change: the next attempt reads the Secret.
    await eventually(() => clients.stateOf(key) === "reachable");
    expect(await userOf(client)).toBe("renewed");
    expect(await metrics.value("butler_tenant_connects_total", { occasion: "changed" })).toBe(1);
  });

  it("gets no request as long as its server certificate is of another CA", async () => {
    const { clients, metrics } = start();
    const { server, adminCert: cert, adminKey } = tenant.controlPlane;
    const { caPem } = management.controlPlane;
    await writeSecret(buildKubeconfig({ name: "blue", user: "x", server, caPem, client: { cert, key: adminKey } }));
    const client = await clients.clientFor(key, never);
    await expect(userOf(client)).rejects.toThrow(Unavailable);
    expect(await metrics.value("butler_tenant_request_failures_total", { reason: "untrusted" })).toBe(1);
    await writeSecret(await kubeconfigOf("trusting"));
    await eventually(() => clients.stateOf(key) === "reachable");
    expect(await userOf(client)).toBe("trusting");
  });

  it("fails fast while its API server is down, recovers with it, and does not affect the other tenant", async () => {
    const { clients, events, metrics } = start();
    await writeSecret(await kubeconfigOf("first"));
    const home = { namespace, name: "home-kubeconfig" };
    const client = await clients.clientFor(key, never);
    await writeSecret(management.controlPlane.kubeconfig, home);
    const other = await clients.clientFor(home, never);
    await Promise.all([userOf(client), userOf(other)]);
    await tenant.controlPlane.stopApiServer({ signal: "SIGKILL" });
    try {
      await expect(userOf(client)).rejects.toThrow(Unavailable);
      await eventually(() => clients.stateOf(key) === "unreachable");
      await expect(userOf(client)).rejects.toThrow(TenantUnreachable);
      expect(await userOf(other)).toBe("butler-admin");
    } finally {
      await tenant.controlPlane.startApiServer();
    }
    await eventually(() => clients.stateOf(key) === "reachable");
    expect(await userOf(client)).toBe("first");
    const ofBlue = events.filter((event) => event.endsWith(keyText(key))).map((event) => event.split(" ")[0]);
    expect(ofBlue).toEqual(["reachable", "unreachable", "reachable"]);
    expect(events).toContain(`reachable ${keyText(home)}`);
    expect(events).not.toContain(`unreachable ${keyText(home)}`);
    expect(await metrics.value("butler_tenant_connections", { state: "reachable" })).toBe(2);
  });
});

describe("the objects of a kind in a tenant", () => {
  it("are followed across an API server restart and a change of credentials", async () => {
    const { clients } = start({ source: await watchedSource() });
    await writeSecret(await kubeconfigOf("first"));
    let changes = 0;
    const onChange = (): number => changes++;
    const following = clients.follow(key, { kind: ConfigMap, namespace: "shop", onChange });
    await eventually(() => following.isSynced && changes > 0);
    await tenant.client.create(ConfigMap, aConfigMap("one"));
    await eventually(() => following.get({ namespace: "shop", name: "one" }));
    await tenant.controlPlane.stopApiServer({ signal: "SIGKILL" });
    try {
      await eventually(() => clients.stateOf(key) === "unreachable");
    } finally {
      await tenant.controlPlane.startApiServer();
    }
    await tenant.client.delete(ConfigMap, { namespace: "shop", name: "one" });
    await tenant.client.create(ConfigMap, aConfigMap("two"));
    await eventually(() => following.get({ namespace: "shop", name: "two" }));
    await eventually(() => following.get({ namespace: "shop", name: "one" }) === undefined);
    await writeSecret(await kubeconfigOf("second"));
    await tenant.client.create(ConfigMap, aConfigMap("three"));
    await eventually(() => following.get({ namespace: "shop", name: "three" }));
    expect(following.problem).toBeUndefined();

    await management.client.delete(Secret, key);
    await eventually(() => clients.size === 0);
    const before = changes;
    await tenant.client.create(ConfigMap, aConfigMap("four"));
    await tenant.client.get(ConfigMap, { namespace: "shop", name: "four" });
    expect(changes).toBe(before);
  });

  it("are not cached when there are too many, and are once there are fewer", async () => {
    const { clients } = start();
    await writeSecret(await kubeconfigOf("first"));
    await tenant.createNamespace("full");
    const make = (name: string): Promise<unknown> =>
      tenant.client.create(ConfigMap, { ...aConfigMap(name), metadata: { name, namespace: "full" } });
    for (let at = 0; at < 4; at++) await make(`c${at}`);
    let changes = 0;
    const options = { kind: ConfigMap, namespace: "full", maximumObjects: 5, onChange: () => changes++ };
    const following = clients.follow(key, options);
    await eventually(() => following.list().length === 4);
    for (let at = 4; at < 9; at++) await make(`c${at}`);
    await eventually(() => following.problem?.message === "the tenant has more than 5 configmaps");
    expect(following.list().length).toBeLessThanOrEqual(6);
    const second = clients.follow(key, options);
    await eventually(() => second.problem);
    expect(second.list()).toEqual([]);
    for (let at = 0; at < 6; at++) await tenant.client.delete(ConfigMap, { namespace: "full", name: `c${at}` });
    await eventually(() => second.list().length === 3 && following.list().length === 3);
    expect([following.problem, second.problem]).toEqual([undefined, undefined]);
    await Promise.all([following.stop(), second.stop()]);
  });

  it("are those of the new cluster when the kubeconfig leads to another one", async () => {
    const { clients } = start({ source: await watchedSource() });
    await writeSecret(await kubeconfigOf("first"));
    const following = clients.follow(key, { kind: builtinKinds.Namespace, onChange: () => undefined });
    await eventually(() => following.get({ name: "shop" }));
    // A rejected kubeconfig in between does not change that the next one is of another cluster.
    await writeSecret({ clusters: [] });
    await writeSecret(management.controlPlane.kubeconfig);
    await eventually(() => following.get({ name: namespace }));
    expect(following.get({ name: "shop" })).toBeUndefined();
    await clients.forget(key);
  });
});
