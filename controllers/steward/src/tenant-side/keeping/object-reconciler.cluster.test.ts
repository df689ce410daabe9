import type { ApiClient } from "@butler/kube";
import { builtinKinds, type DynamicObject } from "@butler/resource";
import { InvalidInput } from "@butler/std";
import { eventually, type TestCluster } from "@butler/testkit";
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { keptKinds } from "../kinds.ts";
import { projectLabels } from "../../names.ts";
import { tenantObjects } from "../objects/tenant-objects.ts";
import {
  coreDNSKey,
  type KeptTenant,
  objectsWith,
  roleKey,
  startKeptTenant,
  tenantKey,
} from "../testing/kept-tenant.ts";
import { aTenantInput } from "../testing/tenant-input.ts";
import { catalog } from "./tenant-catalog.ts";

const bindingKey = { name: "kubeadm:get-nodes" };

let cluster: TestCluster;
let client: ApiClient;
let tenant: KeptTenant;

beforeAll(async () => {
  ({ cluster, client, tenant } = await startKeptTenant());
});
afterAll(() => cluster?.stop());
afterEach(() => tenant.clear());

describe("reconciling the objects of a tenant", () => {
  it("writes each object once, and sends nothing when nothing has changed", async () => {
    const steward = tenant.start();
    const objects = objectsWith();
    expect(await steward.keep({ objects })).toBe(objects.length);
    expect(await steward.requests({ method: "PATCH" })).toBe(objects.length);
    expect(await steward.requests({ method: "PATCH", code: "201" })).toBe(objects.length);
    expect(await steward.requests({ method: "POST" })).toBe(0);
    // The watches have been opened once all of them have been counted.
    const [lists, watches, looks] = [Object.keys(keptKinds).length, new Set(objects.map(({ kind }) => kind)).size, 2];
    let reads = 0;
    await eventually(async () => (reads = await steward.requests({ method: "GET" })) >= lists + watches + looks);
    // Only what the tenant has a say in is looked at before it is written.
    expect(reads).toBe(lists + watches + looks);
    const before = await steward.requests();
    expect(await steward.keep({ objects })).toBe(0);
    expect(await steward.keep({ objects: objectsWith() })).toBe(0);
    expect(await steward.requests()).toBe(before);
    expect(await steward.repairs()).toBe(0);
  });

  it("writes nothing after a restart of Steward, and one object when one has changed", async () => {
    await tenant.start().keep();
    const steward = tenant.start();
    expect(await steward.keep()).toBe(0);
    expect(await steward.requests({ method: "PATCH" })).toBe(0);
    expect(await steward.keep({ objects: objectsWith({ certSANs: ["blue.example.org"] }) })).toBe(1);
  });

  it("creates a missing namespace", async () => {
    const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "x", namespace: "not-yet" } };
    expect(await tenant.start().keep({ objects: [object] })).toBe(1);
    expect(await client.find(builtinKinds.ConfigMap, object.metadata)).toBeDefined();
  });

  it.each<[string, () => Promise<unknown>]>([
    ["deleted", () => client.delete(keptKinds.Role, roleKey)],
    ["emptied", () => client.patch(keptKinds.Role, roleKey, { type: "merge", patch: { rules: [] } })],
    [
      "granted additional permissions",
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
      "stripped of its annotations",
      () => client.patch(keptKinds.Role, roleKey, { type: "merge", patch: { metadata: { annotations: null } } }),
    ],
    [
      "replaced by another object of the same name",
      async () => {
        await client.delete(keptKinds.Role, roleKey);
        const metadata = { ...roleKey, labels: projectLabels };
        await client
          .create(keptKinds.Role, {
            apiVersion: "rbac.authorization.k8s.io/v1",
            kind: "Role",
            metadata,
          })
          .catch(() => undefined);
      },
    ],
  ])("repairs a Role that has been %s", async (_what, spoil) => {
    const steward = tenant.start();
    await steward.keep();
    const { rules, metadata } = await tenant.role();
    await spoil();
    await eventually(async () => (await steward.repairs()) >= 1, { what: "the repair" });
    const repaired = await tenant.role();
    expect(repaired["rules"]).toEqual(rules);
    expect(repaired.metadata.labels).toEqual(metadata.labels);
    expect(repaired.metadata.annotations).toEqual(metadata.annotations);
  });

  it("replaces immutable objects: a binding of another role, an immutable ConfigMap, a Service with another address", async () => {
    const steward = tenant.start();
    await steward.keep();
    const binding = await client.get(keptKinds.ClusterRoleBinding, bindingKey);
    await client.delete(keptKinds.ClusterRoleBinding, bindingKey);
    await eventually(() => steward.repairs());
    const { uid: _uid, resourceVersion: _version, ...metadata } = binding.metadata;
    await steward.sides.forget(tenantKey);
    await client.delete(keptKinds.ClusterRoleBinding, bindingKey);
    const roleRef = { ...(binding["roleRef"] as object), name: "cluster-admin" };
    await client.create(keptKinds.ClusterRoleBinding, { ...binding, metadata, roleRef } as DynamicObject);
    const config = { namespace: "kube-system", name: "kubelet-config" };
    await client.patch(keptKinds.ConfigMap, config, { type: "merge", patch: { immutable: true } });

    const objects = objectsWith({
      dnsServiceIPs: ["10.96.0.77"],
      kubelet: { patches: [{ op: "add", path: "/maxPods", value: 64 }] },
    });
    expect(await steward.keep({ objects })).toBe(3);
    expect(await client.get(keptKinds.ClusterRoleBinding, bindingKey)).toMatchObject({
      roleRef: { name: "kubeadm:get-nodes" },
    });
    const { data } = await client.get(keptKinds.ConfigMap, config);
    expect((data as Record<string, string>)["kubelet"]).toContain("maxPods: 64");
    expect(await client.get(keptKinds.Service, { namespace: "kube-system", name: "kube-dns" })).toMatchObject({
      spec: { clusterIP: "10.96.0.77" },
    });
  });

  it("does not delete a working object when its replacement would be rejected", async () => {
    const steward = tenant.start();
    await steward.keep();
    const service = await client.get(keptKinds.Service, { namespace: "kube-system", name: "kube-dns" });
    await expect(steward.keep({ objects: objectsWith({ dnsServiceIPs: ["192.0.2.1"] }) })).rejects.toThrow(
      InvalidInput,
    );
    const after = await client.get(keptKinds.Service, { namespace: "kube-system", name: "kube-dns" });
    expect(after.metadata.uid).toBe(service.metadata.uid);
    expect(await steward.keep()).toBeGreaterThan(0);
  });

  it("backs off when another client undoes every repair", async () => {
    const steward = tenant.start();
    await steward.keep();
    const startedAtMs = performance.now();
    for (let round = 1; round <= 4; round++) {
      await client.patch(keptKinds.Role, roleKey, { type: "merge", patch: { rules: [] } });
      await eventually(async () => (await steward.repairs()) === round, { what: `repair number ${round}` });
    }
    // Nothing, 100, 200 and 400 ms, of each of which up to three tenths are left to chance.
    expect(performance.now() - startedAtMs).toBeGreaterThan(0.7 * (100 + 200 + 400));
  });

  it("resumes after an API server restart", async () => {
    const steward = tenant.start();
    await steward.keep();
    await cluster.controlPlane.restartApiServer({ signal: "SIGKILL" });
    await client.delete(keptKinds.Role, roleKey);
    await eventually(() => steward.repairs(), { what: "the repair" });
    expect(await tenant.role()).toBeDefined();
  });
});

describe("what the tenant may change", () => {
  it("keeps an edited Corefile across repairs, upgrades and restarts, until it is deleted", async () => {
    const steward = tenant.start();
    await steward.keep();
    const original = await tenant.corefile();
    expect(original).toContain("kubernetes cluster.local in-addr.arpa");
    await tenant.editCorefile("# mine\n");
    await client.delete(keptKinds.Role, roleKey);
    await eventually(() => steward.repairs());
    expect(await steward.keep({ objects: objectsWith({ clusterDomain: "blue.internal" }) })).toBe(2);
    expect(await tenant.start().keep()).toBe(2);
    expect(await tenant.corefile()).toBe("# mine\n");

    await client.delete(keptKinds.ConfigMap, coreDNSKey);
    await eventually(async () => (await tenant.corefile()).includes("kubernetes"), { what: "the Corefile" });
  });

  it("replaces its own Corefile with a newer one", async () => {
    const steward = tenant.start();
    await steward.keep();
    expect(await steward.keep({ objects: objectsWith({ clusterDomain: "blue.internal" }) })).toBe(3);
    expect(await tenant.corefile()).toContain("kubernetes blue.internal in-addr.arpa");
  });

  it("leaves a pre-existing Corefile alone", async () => {
    const metadata = { ...coreDNSKey };
    await client.create(keptKinds.ConfigMap, {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata,
      data: { Corefile: "# theirs\n" },
    } as DynamicObject);
    expect(await tenant.start().keep()).toBe(catalog.size - 1);
    expect(await tenant.corefile()).toBe("# theirs\n");
  });

  it("keeps the tenant's number of CoreDNS pods and repairs the rest of the Deployment", async () => {
    const steward = tenant.start();
    await steward.keep();
    const patch = [
      { op: "replace", path: "/spec/replicas", value: 5 },
      { op: "replace", path: "/spec/template/spec/containers/0/image", value: "example.com/mallory:v1" },
    ];
    await client.patch(keptKinds.Deployment, coreDNSKey, { type: "json", patch });
    await eventually(() => steward.repairs());
    const deployment = await client.get(keptKinds.Deployment, coreDNSKey);
    expect(deployment).toMatchObject({ spec: { replicas: 5 } });
    expect(JSON.stringify(deployment["spec"])).toContain("registry.k8s.io/coredns/coredns:v1.14.2");
    await client.patch(keptKinds.Deployment, coreDNSKey, { type: "merge", patch: { spec: { replicas: 3 } } });
    expect(await tenant.start().keep()).toBe(0);
    expect(await steward.repairs()).toBe(1);
  });
});

describe("disabled add-ons", () => {
  it("are deleted, except an edited Corefile and objects that are not ours", async () => {
    const steward = tenant.start();
    await steward.keep();
    await tenant.editCorefile("# mine\n");
    const stranger = { name: "stranger", namespace: "kube-system", labels: { ...projectLabels } };
    await client.create(keptKinds.ConfigMap, { apiVersion: "v1", kind: "ConfigMap", metadata: stranger });
    onTestFinished(() => client.delete(keptKinds.ConfigMap, stranger));

    // What a former process left is found too.
    await steward.sides.forget(tenantKey);
    const rest = tenantObjects(aTenantInput());
    // Eleven of twelve go, and kubeadm-config says that they are off.
    const next = tenant.start();
    expect(await next.keep({ objects: rest })).toBe(11 + 1);
    expect(await client.find(keptKinds.DaemonSet, { namespace: "kube-system", name: "kube-proxy" })).toBeUndefined();
    expect(await tenant.corefile()).toBe("# mine\n");
    expect(await client.find(keptKinds.ConfigMap, stranger)).toBeDefined();
    expect(await next.keep({ objects: rest })).toBe(0);

    expect(await next.keep()).toBe(11 + 1);
    expect(await tenant.corefile()).toBe("# mine\n");
    expect(await next.keep({ objects: rest })).toBe(11 + 1);
  });

  it("leave a CoreDNS alone that the tenant installed", async () => {
    const metadata = { ...coreDNSKey, labels: { ...projectLabels } };
    await client.create(keptKinds.ServiceAccount, { apiVersion: "v1", kind: "ServiceAccount", metadata });
    await tenant.start().keep({ objects: tenantObjects(aTenantInput()) });
    expect(await client.find(keptKinds.ServiceAccount, coreDNSKey)).toBeDefined();
  });
});
