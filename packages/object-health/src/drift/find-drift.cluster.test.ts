import { builtinKinds, type DynamicObject, type Kind } from "@butler/resource";
import { aTestCluster, type TestCluster } from "@butler/testkit";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { parseManifest } from "../manifest/parse-manifest.ts";
import { type Drift, findDrift } from "./find-drift.ts";

const { ConfigMap, Deployment, Secret, ClusterRole, Service } = builtinKinds;
const Autoscaler: Kind = {
  group: "autoscaling",
  version: "v2",
  kind: "HorizontalPodAutoscaler",
  plural: "horizontalpodautoscalers",
  scope: "Namespaced",
};
const kinds: readonly Kind[] = [ConfigMap, Deployment, Secret, ClusterRole, Service];
let cluster: TestCluster;
let namespace = "";
let count = 0;

beforeAll(async () => {
  cluster = await aTestCluster();
});
afterAll(() => cluster?.stop());
beforeEach(async () => {
  namespace = `drift-${++count}`;
  await cluster.createNamespace(namespace);
});

const manifest = (): string => `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {app: web}}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}, creationTimestamp: null}
    spec:
      containers:
      - name: web
        image: "web:1"
        args: ["--token=hunter2"]
        resources: {requests: {cpu: 0.5, memory: 1024Mi}}
---
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {selector: {app: web}, ports: [{port: 80}]}
---
apiVersion: v1
kind: Secret
metadata: {name: login}
stringData: {password: hunter2}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: settings}
data: {a.conf: "x = 1", b.conf: "y = 2"}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: readiness-${namespace}}
aggregationRule: {clusterRoleSelectors: [{matchLabels: {readiness: "true"}}]}
rules: []
`;

/** Applies as Helm does: with labels and annotations that are not in the manifest. */
async function install(text = manifest()): Promise<void> {
  for (const { kind, object } of await parseManifest(text)) {
    const found = kinds.find((each) => each.kind === kind) ?? expect.fail(kind);
    const metadata = {
      ...object.metadata,
      ...(found.scope === "Namespaced" ? { namespace } : {}),
      labels: { ...object.metadata.labels, "app.kubernetes.io/managed-by": "Helm" },
      annotations: { "meta.helm.sh/release-name": "web", "meta.helm.sh/release-namespace": namespace },
    };
    await cluster.client.apply(found, { ...object, metadata }, { fieldManager: "helm" });
  }
}

async function drift(text = manifest(), limit?: number): Promise<readonly Drift[]> {
  return findDrift(cluster.client, await parseManifest(text), { namespace, limit });
}

const change = (kind: Kind, name: string, patch: object): Promise<DynamicObject> =>
  cluster.client.patch(kind, { name, namespace }, { type: "merge", patch, fieldManager: "kubectl-edit" });

describe("drift on a real API server", () => {
  it("is none right after the chart was applied, and detection changes nothing", async () => {
    await install();
    const before = await cluster.client.get(Deployment, { name: "web", namespace });
    expect(await drift()).toEqual([]);
    expect(await cluster.client.get(Deployment, { name: "web", namespace })).toEqual(before);
  });

  it("reports what was changed or deleted, with the path and, unless it is secret, the value", async () => {
    await install();
    await change(Deployment, "web", { spec: { replicas: 5 } });
    const patch = [
      { op: "replace", path: "/spec/template/spec/containers/0/image", value: "web:2" },
      { op: "replace", path: "/spec/template/spec/containers/0/args/0", value: "--token=other" },
    ];
    await cluster.client.patch(Deployment, { name: "web", namespace }, { type: "json", patch });
    await change(Secret, "login", { stringData: { password: "hunter3" } });
    await change(ConfigMap, "settings", { data: { "a.conf": null } });
    await cluster.client.delete(Service, { name: "web", namespace });
    const found = await drift();
    expect(found).toEqual([
      {
        kind: "Deployment",
        namespace,
        name: "web",
        message:
          "spec.replicas is 5 (chart: 2); spec.template.spec.containers[web].image is web:2 (chart: web:1); " +
          "spec.template.spec.containers[web].args[0] differs from the chart",
      },
      { kind: "Service", namespace, name: "web", message: "missing" },
      { kind: "Secret", namespace, name: "login", message: "data.password differs from the chart" },
      { kind: "ConfigMap", namespace, name: "settings", message: String.raw`data.a\.conf is missing` },
    ]);
    expect(JSON.stringify(found)).not.toMatch(/hunter|token=/);
    expect(await drift(manifest(), 2)).toHaveLength(2);
  });

  it("ignores fields added by others, aggregated rules, and replicas set by an autoscaler", async () => {
    await install();
    await change(Deployment, "web", {
      metadata: { annotations: { note: "mine" }, labels: { more: "1" } },
      spec: { replicas: 4, template: { metadata: { annotations: { "kubectl.kubernetes.io/restartedAt": "now" } } } },
    });
    await change(ConfigMap, "settings", { data: { "c.conf": "z = 3" } });
    const role = {
      type: "merge",
      patch: { rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }] },
    } as const;
    await cluster.client.patch(ClusterRole, { name: `readiness-${namespace}` }, { ...role, fieldManager: "gatherer" });
    expect((await drift()).map(({ message }) => message)).toEqual(["spec.replicas is 4 (chart: 2)"]);
    await cluster.client.create(Autoscaler, {
      apiVersion: "autoscaling/v2",
      kind: "HorizontalPodAutoscaler",
      metadata: { name: "web", namespace },
      spec: { scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" }, maxReplicas: 5 },
    } as DynamicObject);
    expect(await drift()).toEqual([]);
  });

  it("reports what the server would reject, with the reason and without values", async () => {
    await install(manifest().replaceAll("app: web", "app: hunter9"));
    const [first] = await drift();
    expect(first).toMatchObject({
      kind: "Deployment",
      message: expect.stringMatching(
        /^the API server rejects the chart's manifest: .*spec\.selector.*immutable/,
      ) as string,
    });
    expect(first?.message).not.toContain("hunter9");
  });

  it("reports an object that is being deleted, and one whose kind is not served", async () => {
    await install();
    await change(ConfigMap, "settings", { metadata: { finalizers: ["readiness.test/hold"] } });
    await cluster.client.delete(ConfigMap, { name: "settings", namespace });
    const unserved = "---\napiVersion: unserved.test/v1\nkind: Thing\nmetadata: {name: one}\n";
    const found = await drift(manifest() + unserved);
    await change(ConfigMap, "settings", { metadata: { finalizers: null } });
    expect(found.map(({ name, message }) => [name, message])).toEqual([
      ["settings", "being deleted"],
      ["one", "the cluster does not serve kind Thing in unserved.test/v1 yet"],
    ]);
  });

  it("is also found when the objects were created rather than applied, as older Helm does", async () => {
    const text = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: old}\ndata: {a: one, b: two}\n";
    const [wanted] = await parseManifest(text);
    const object = { ...wanted?.object, metadata: { name: "old", namespace } } as DynamicObject;
    await cluster.client.create(ConfigMap, object, { fieldManager: "helm" });
    expect(await drift(text)).toEqual([]);
    await change(ConfigMap, "old", { data: { a: "three", c: "four" } });
    expect((await drift(text)).map(({ message }) => message)).toEqual(["data.a differs from the chart"]);
  });
});
