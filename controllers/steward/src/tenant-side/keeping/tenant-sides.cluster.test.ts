import { once } from "node:events";
import { createServer } from "node:net";
import type { ApiClient } from "@butler/kube";
import { builtinKinds, type DynamicObject, type KubeObject } from "@butler/resource";
import { Forbidden, InvalidInput, Timeout, Unavailable } from "@butler/std";
import { MetricsRegistry } from "@butler/telemetry";
import { eventually, startTestCluster, type TestCluster } from "@butler/testkit";
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { keptKindOf, keptKinds } from "../kinds.ts";
import { projectLabel } from "../objects/object-builders.ts";
import { tenantObjects, type TenantObjectsInput } from "../objects/tenant-objects.ts";
import { aTenantInput } from "../testing/tenant-input.ts";
import { catalogue, idOf } from "./tenant-catalogue.ts";
import { TenantSides } from "./tenant-sides.ts";

const key = "blue-uid";
const coreDNSKey = { namespace: "kube-system", name: "coredns" };
const roleKey = { namespace: "kube-system", name: "kubeadm:kubelet-config" };
const bindingKey = { name: "kubeadm:get-nodes" };

let cluster: TestCluster;
let client: ApiClient;
const started: TenantSides[] = [];

beforeAll(async () => {
  const extraArgs = { "allow-privileged": "true" };
  cluster = await startTestCluster({ name: "steward-tenant", components: { "kube-apiserver": { extraArgs } } });
  ({ client } = cluster);
});
afterAll(() => cluster?.stop());
afterEach(async () => {
  await Promise.all(started.splice(0).map((sides) => sides.close()));
  for (const skeleton of catalogue.values()) {
    const live = await client.find(keptKindOf(skeleton), skeleton.metadata);
    if (live !== undefined) await client.delete(keptKindOf(skeleton), skeleton.metadata);
  }
});

/** What one process of Steward would have. */
function start(options: { requestTimeoutMs?: number } = {}): { sides: TenantSides; metrics: MetricsRegistry } {
  const metrics = new MetricsRegistry();
  const sides = new TenantSides({ metrics, ...options });
  started.push(sides);
  return { sides, metrics };
}

const objectsWith = (change: Partial<TenantObjectsInput> = {}): KubeObject[] =>
  tenantObjects(aTenantInput({ coreDNS: {}, kubeProxy: {}, ...change }));

interface Wish {
  readonly objects?: readonly KubeObject[];
  readonly kubeconfig?: string;
  readonly key?: string;
}

async function keep(sides: TenantSides, wish: Wish = {}): Promise<number> {
  const { objects = objectsWith(), kubeconfig = JSON.stringify(cluster.controlPlane.kubeconfig) } = wish;
  const tenant = { key: wish.key ?? key, kubeconfig, objects, decidesRequests: false };
  return (await sides.keep(tenant, AbortSignal.timeout(30_000))).applied;
}

const requests = (metrics: MetricsRegistry, labels = {}): Promise<number> =>
  metrics.value("butler_api_requests_total", labels);
const repairs = (metrics: MetricsRegistry): Promise<number> =>
  metrics.value("butler_tenant_writes_total", { occasion: "repaired" });

const role = (): Promise<DynamicObject> => client.get(keptKinds.Role, roleKey);
const corefile = async (): Promise<string> => {
  const { data } = await client.get(keptKinds.ConfigMap, coreDNSKey);
  return (data as Record<string, string>)["Corefile"] ?? "";
};
const editCorefile = (text: string): Promise<unknown> =>
  client.patch(keptKinds.ConfigMap, coreDNSKey, { type: "merge", patch: { data: { Corefile: text } } });

describe("keeping the objects of a tenant", () => {
  it("writes each object once, and sends nothing when there is nothing new", async () => {
    const { sides, metrics } = start();
    const objects = objectsWith();
    expect(await keep(sides, { objects })).toBe(objects.length);
    expect(await requests(metrics, { method: "PATCH" })).toBe(objects.length);
    expect(await requests(metrics, { method: "PATCH", code: "201" })).toBe(objects.length);
    expect(await requests(metrics, { method: "POST" })).toBe(0);
    // The watches have been opened once all of them have been counted.
    const [lists, watches, looks] = [Object.keys(keptKinds).length, new Set(objects.map(({ kind }) => kind)).size, 2];
    let reads = 0;
    await eventually(async () => (reads = await requests(metrics, { method: "GET" })) >= lists + watches + looks);
    // Only what the tenant has a say in is looked at before it is written.
    expect(reads).toBe(lists + watches + looks);
    const before = await requests(metrics);
    expect(await keep(sides, { objects })).toBe(0);
    expect(await keep(sides, { objects: objectsWith() })).toBe(0);
    expect(await requests(metrics)).toBe(before);
    expect(await repairs(metrics)).toBe(0);
  });

  it("writes nothing after a restart of Steward, and one object when one has changed", async () => {
    await keep(start().sides);
    const { sides, metrics } = start();
    expect(await keep(sides)).toBe(0);
    expect(await requests(metrics, { method: "PATCH" })).toBe(0);
    expect(await keep(sides, { objects: objectsWith({ certSANs: ["blue.example.org"] }) })).toBe(1);
  });

  it("makes a namespace that is not there yet", async () => {
    const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "x", namespace: "not-yet" } };
    expect(await keep(start().sides, { objects: [object] })).toBe(1);
    expect(await client.find(builtinKinds.ConfigMap, object.metadata)).toBeDefined();
  });

  it.each<[string, () => Promise<unknown>]>([
    ["deleted", () => client.delete(keptKinds.Role, roleKey)],
    ["emptied", () => client.patch(keptKinds.Role, roleKey, { type: "merge", patch: { rules: [] } })],
    [
      "given further rights",
      () => {
        const rule = { apiGroups: [""], resources: ["secrets"], verbs: ["*"] };
        return client.patch(keptKinds.Role, roleKey, {
          type: "json",
          patch: [{ op: "add", path: "/rules/-", value: rule }],
        });
      },
    ],
    [
      "stripped of its labels",
      () => client.patch(keptKinds.Role, roleKey, { type: "merge", patch: { metadata: { labels: null } } }),
    ],
    [
      "stripped of its notes",
      () => client.patch(keptKinds.Role, roleKey, { type: "merge", patch: { metadata: { annotations: null } } }),
    ],
    [
      "replaced by another of its name",
      async () => {
        await client.delete(keptKinds.Role, roleKey);
        const metadata = { ...roleKey, labels: projectLabel };
        await client
          .create(keptKinds.Role, {
            apiVersion: "rbac.authorization.k8s.io/v1",
            kind: "Role",
            metadata,
          })
          .catch(() => undefined);
      },
    ],
  ])("puts a Role right that has been %s", async (_what, spoil) => {
    const { sides, metrics } = start();
    await keep(sides);
    const { rules, metadata } = await role();
    await spoil();
    await eventually(async () => (await repairs(metrics)) >= 1, { what: "the repair" });
    const repaired = await role();
    expect(repaired["rules"]).toEqual(rules);
    expect(repaired.metadata.labels).toEqual(metadata.labels);
    expect(repaired.metadata.annotations).toEqual(metadata.annotations);
  });

  it("replaces what cannot be changed: a binding of another role, a fixed ConfigMap, a Service elsewhere", async () => {
    const { sides, metrics } = start();
    await keep(sides);
    const binding = await client.get(keptKinds.ClusterRoleBinding, bindingKey);
    await client.delete(keptKinds.ClusterRoleBinding, bindingKey);
    await eventually(() => repairs(metrics));
    const { uid: _uid, resourceVersion: _version, ...metadata } = binding.metadata;
    await sides.forget(key);
    await client.delete(keptKinds.ClusterRoleBinding, bindingKey);
    const roleRef = { ...(binding["roleRef"] as object), name: "cluster-admin" };
    await client.create(keptKinds.ClusterRoleBinding, { ...binding, metadata, roleRef } as DynamicObject);
    const config = { namespace: "kube-system", name: "kubelet-config" };
    await client.patch(keptKinds.ConfigMap, config, { type: "merge", patch: { immutable: true } });

    const objects = objectsWith({
      dnsServiceIPs: ["10.96.0.77"],
      kubelet: { patches: [{ op: "add", path: "/maxPods", value: 64 }] },
    });
    expect(await keep(sides, { objects })).toBe(3);
    expect(await client.get(keptKinds.ClusterRoleBinding, bindingKey)).toMatchObject({
      roleRef: { name: "kubeadm:get-nodes" },
    });
    const { data } = await client.get(keptKinds.ConfigMap, config);
    expect((data as Record<string, string>)["kubelet"]).toContain("maxPods: 64");
    expect(await client.get(keptKinds.Service, { namespace: "kube-system", name: "kube-dns" })).toMatchObject({
      spec: { clusterIP: "10.96.0.77" },
    });
  });

  it("does not delete what works for the sake of something that would be refused", async () => {
    const { sides } = start();
    await keep(sides);
    const service = await client.get(keptKinds.Service, { namespace: "kube-system", name: "kube-dns" });
    await expect(keep(sides, { objects: objectsWith({ dnsServiceIPs: ["192.0.2.1"] }) })).rejects.toThrow(InvalidInput);
    const after = await client.get(keptKinds.Service, { namespace: "kube-system", name: "kube-dns" });
    expect(after.metadata.uid).toBe(service.metadata.uid);
    expect(await keep(sides)).toBeGreaterThan(0);
  });

  it("answers more and more slowly to somebody who undoes every repair", async () => {
    const { sides, metrics } = start();
    await keep(sides);
    const endsAtMs = performance.now() + 1_500;
    let spoiled = 0;
    while (performance.now() < endsAtMs) {
      await eventually(async () => ((await role())["rules"] as unknown[] | undefined)?.length === 1);
      await client.patch(keptKinds.Role, roleKey, { type: "merge", patch: { rules: [] } });
      spoiled++;
    }
    expect(spoiled).toBeGreaterThan(1);
    expect(await repairs(metrics)).toBeLessThan(10);
  });

  it("goes on after the API server was restarted", async () => {
    const { sides, metrics } = start();
    await keep(sides);
    await cluster.controlPlane.restartApiServer({ signal: "SIGKILL" });
    await client.delete(keptKinds.Role, roleKey);
    await eventually(() => repairs(metrics), { what: "the repair" });
    expect(await role()).toBeDefined();
  });
});

describe("what the tenant has a say in", () => {
  it("keeps an edited Corefile, over repairs, new versions and restarts, until it is deleted", async () => {
    const { sides, metrics } = start();
    await keep(sides);
    const original = await corefile();
    expect(original).toContain("kubernetes cluster.local in-addr.arpa");
    await editCorefile("# mine\n");
    await client.delete(keptKinds.Role, roleKey);
    await eventually(() => repairs(metrics));
    expect(await keep(sides, { objects: objectsWith({ clusterDomain: "blue.internal" }) })).toBe(2);
    expect(await keep(start().sides)).toBe(2);
    expect(await corefile()).toBe("# mine\n");

    await client.delete(keptKinds.ConfigMap, coreDNSKey);
    await eventually(async () => (await corefile()).includes("kubernetes"), { what: "the Corefile" });
  });

  it("replaces a Corefile of its own by a newer one", async () => {
    const { sides } = start();
    await keep(sides);
    expect(await keep(sides, { objects: objectsWith({ clusterDomain: "blue.internal" }) })).toBe(3);
    expect(await corefile()).toContain("kubernetes blue.internal in-addr.arpa");
  });

  it("leaves a Corefile alone that was there before", async () => {
    const metadata = { ...coreDNSKey };
    await client.create(keptKinds.ConfigMap, {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata,
      data: { Corefile: "# theirs\n" },
    } as DynamicObject);
    expect(await keep(start().sides)).toBe(catalogue.size - 1);
    expect(await corefile()).toBe("# theirs\n");
  });

  it("keeps the tenant's number of CoreDNS pods and puts the rest of the Deployment right", async () => {
    const { sides, metrics } = start();
    await keep(sides);
    const patch = [
      { op: "replace", path: "/spec/replicas", value: 5 },
      { op: "replace", path: "/spec/template/spec/containers/0/image", value: "example.com/mallory:v1" },
    ];
    await client.patch(keptKinds.Deployment, coreDNSKey, { type: "json", patch });
    await eventually(() => repairs(metrics));
    const deployment = await client.get(keptKinds.Deployment, coreDNSKey);
    expect(deployment).toMatchObject({ spec: { replicas: 5 } });
    expect(JSON.stringify(deployment["spec"])).toContain("registry.k8s.io/coredns/coredns:v1.14.2");
    await client.patch(keptKinds.Deployment, coreDNSKey, { type: "merge", patch: { spec: { replicas: 3 } } });
    expect(await keep(start().sides)).toBe(0);
    expect(await repairs(metrics)).toBe(1);
  });
});

describe("add-ons that are turned off", () => {
  it("go, but for an edited Corefile and what only looks like ours", async () => {
    const { sides } = start();
    await keep(sides);
    await editCorefile("# mine\n");
    const stranger = { name: "stranger", namespace: "kube-system", labels: { ...projectLabel } };
    await client.create(keptKinds.ConfigMap, { apiVersion: "v1", kind: "ConfigMap", metadata: stranger });
    onTestFinished(() => client.delete(keptKinds.ConfigMap, stranger));

    // What a former process left is found too.
    await sides.forget(key);
    const rest = tenantObjects(aTenantInput());
    // Eleven of twelve go, and kubeadm-config says that they are off.
    const next = start();
    expect(await keep(next.sides, { objects: rest })).toBe(11 + 1);
    expect(await client.find(keptKinds.DaemonSet, { namespace: "kube-system", name: "kube-proxy" })).toBeUndefined();
    expect(await corefile()).toBe("# mine\n");
    expect(await client.find(keptKinds.ConfigMap, stranger)).toBeDefined();
    expect(await keep(next.sides, { objects: rest })).toBe(0);

    expect(await keep(next.sides)).toBe(11 + 1);
    expect(await corefile()).toBe("# mine\n");
    expect(await keep(next.sides, { objects: rest })).toBe(11 + 1);
  });

  it("leaves a CoreDNS alone that the tenant installed by itself", async () => {
    const metadata = { ...coreDNSKey, labels: { ...projectLabel } };
    await client.create(keptKinds.ServiceAccount, { apiVersion: "v1", kind: "ServiceAccount", metadata });
    await keep(start().sides, { objects: tenantObjects(aTenantInput()) });
    expect(await client.find(keptKinds.ServiceAccount, coreDNSKey)).toBeDefined();
  });
});

describe("many tenants", () => {
  it("holds as much of a tenant that is full as of one that is empty", async () => {
    const { sides } = start();
    await keep(sides);
    const before = sides.size;
    const make = (name: string, labels: Record<string, string>): Promise<unknown> =>
      client.create(builtinKinds.ConfigMap, {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name, namespace: "default", labels },
        data: { text: "x".repeat(1_000) },
      } as DynamicObject);
    for (let at = 0; at < 20; at++) {
      const names = Array.from({ length: 20 }, (_, more) => `full-${at}-${more}`);
      // Even one who puts Steward's label on everything fills no memory.
      await Promise.all(names.map((name) => make(name, at % 2 === 0 ? projectLabel : {})));
    }
    expect(await keep(sides)).toBe(0);
    expect(sides.size).toBe(before);
    const fresh = start();
    expect(await keep(fresh.sides)).toBe(0);
    expect(fresh.sides.size).toBe(before);
    await fresh.sides.forget(key);
    expect(fresh.sides.size).toBe(0);
  });

  it("serves one tenant while others do not answer, are gone, or have a kubeconfig that is none", async () => {
    const silent = createServer((socket) => socket.on("error", () => undefined).resume());
    silent.listen(0, "127.0.0.1");
    await once(silent, "listening");
    onTestFinished(() => void silent.close());
    const address = silent.address() as { port: number };
    const at = (port: number): string => {
      const text = JSON.stringify(cluster.controlPlane.kubeconfig);
      return text.replace(cluster.controlPlane.server, `https://127.0.0.1:${port}`);
    };
    const { sides } = start({ requestTimeoutMs: 2_000 });
    const startedAtMs = performance.now();
    const dead = keep(sides, { key: "silent", kubeconfig: at(address.port) });
    const gone = keep(sides, { key: "gone", kubeconfig: at(1) });
    const evil = keep(sides, { key: "evil", kubeconfig: "exec: /bin/sh" });
    void Promise.allSettled([dead, gone, evil]);
    expect(await keep(sides)).toBe(catalogue.size);
    const servedAfterMs = performance.now() - startedAtMs;
    await expect(gone).rejects.toThrow(Unavailable);
    await expect(evil).rejects.toThrow(InvalidInput);
    await expect(dead).rejects.toThrow(Timeout);
    expect(servedAfterMs).toBeLessThan(performance.now() - startedAtMs);

    // One that is forgotten while it does not answer does not keep anybody waiting either.
    const again = keep(sides, { key: "silent", kubeconfig: at(address.port) });
    void again.catch(() => undefined);
    const forgettingAtMs = performance.now();
    await sides.forget("silent");
    expect(performance.now() - forgettingAtMs).toBeLessThan(1_000);
    await expect(again).rejects.toThrow();
  });

  it("connects anew when the kubeconfig changes, and leaves nothing open", async () => {
    const sockets = (): number => process.getActiveResourcesInfo().filter((name) => name === "TCPSocketWrap").length;
    const { sides, metrics } = start();
    const baseline = sockets();
    await keep(sides);
    await eventually(() => sockets() > baseline + 8, { what: "the watches" });
    const issue = async (user: string, groups: readonly string[]): Promise<string> => {
      const { kubeconfig } = await cluster.controlPlane.issueClientCertificate({ user, groups });
      return JSON.stringify(kubeconfig);
    };

    const stranger = await issue("stranger", []);
    await expect(keep(sides, { kubeconfig: stranger })).rejects.toThrow(Forbidden);
    const renewed = await issue("renewed", ["system:masters"]);
    expect(await keep(sides, { kubeconfig: renewed })).toBe(0);
    await client.delete(keptKinds.Role, roleKey);
    await eventually(() => repairs(metrics), { what: "the repair over the new connection" });
    const written = (await role()).metadata.managedFields as { manager: string }[];
    expect(written.map(({ manager }) => manager)).toEqual(["butler-steward-tenant-side"]);

    await sides.forget(key);
    // The test's own client has connections of its own.
    await eventually(() => sockets() <= baseline + 1, { what: () => `the end of ${sockets() - baseline} connections` });
    await client.delete(keptKinds.Role, roleKey);
    await expect(keep(sides, { kubeconfig: "" })).rejects.toThrow(InvalidInput);
    expect(await client.find(keptKinds.Role, roleKey)).toBeUndefined();
  });

  it("takes no more tenants once it is closed", async () => {
    const { sides } = start();
    await sides.close();
    await expect(keep(sides)).rejects.toThrow(Unavailable);
  });
});

describe("idOf", () => {
  it("tells objects of different kinds apart", () => {
    expect(new Set(objectsWith().map(idOf)).size).toBe(objectsWith().length);
  });
});
