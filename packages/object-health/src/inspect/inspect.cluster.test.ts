import type { KubeClient } from "@butler/kube";
import { builtinKinds, type DynamicObject, type Kind } from "@butler/resource";
import { eventually, aTestCluster, type TestCluster } from "@butler/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseManifest } from "../manifest/parse-manifest.ts";
import { inspect, type Inspection } from "./inspect.ts";

const { ConfigMap, Deployment, Event, Pod, Secret, StorageClass, CustomResourceDefinition } = builtinKinds;
const Claim: Kind = { ...Pod, kind: "PersistentVolumeClaim", plural: "persistentvolumeclaims" };
let cluster: TestCluster;

beforeAll(async () => {
  cluster = await aTestCluster();
});
afterAll(() => cluster?.stop());

/** Counts the requests of an inspection. */
function counted(client: KubeClient) {
  const requests: string[] = [];
  const list: KubeClient["list"] = (kind, options) => {
    requests.push(`list ${kind.plural}`);
    return client.list(kind, options);
  };
  const discover: KubeClient["discover"] = (apiVersion, signal) => {
    requests.push(`discover ${apiVersion}`);
    return client.discover(apiVersion, signal);
  };
  return { requests, list, discover };
}

async function look(manifest: string, namespace: string): Promise<Inspection> {
  return inspect(cluster.client, await parseManifest(manifest), { namespace });
}

/** Applies a manifest's objects, each in its own or the given namespace. */
async function apply(manifest: string, namespace: string, kinds: readonly Kind[]): Promise<void> {
  for (const { kind, object } of await parseManifest(manifest)) {
    const found = kinds.find((each) => each.kind === kind) ?? expect.fail(kind);
    const metadata = { ...object.metadata, ...(found.scope === "Namespaced" ? { namespace } : {}) };
    await cluster.client.apply(found, { ...object, metadata }, { fieldManager: "helm" });
  }
}

async function writeStatus(kind: Kind, key: { name: string; namespace?: string }, status: object): Promise<void> {
  await cluster.client.patch(kind, key, { type: "merge", patch: { status }, subresource: "status" });
}

const podOf = (app: string, name: string, namespace: string): DynamicObject => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name, namespace, labels: { app } },
  spec: { containers: [{ name: "web", image: "web:1" }] },
});

const web = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: "web:1"}]}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: one}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: two}
---
apiVersion: v1
kind: Secret
metadata: {name: one}
stringData: {password: hunter2}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: readiness-inspect}
rules: []
`;
const webKinds = [Deployment, ConfigMap, Secret, builtinKinds.ClusterRole];

describe("a chart's objects", () => {
  it("are missing before they exist, ready when healthy, and have a reason when not", async () => {
    const namespace = "web";
    await cluster.createNamespace(namespace);
    expect((await look(web, namespace)).waiting).toHaveLength(5);
    expect((await look(web, namespace)).waiting[0]).toEqual({
      kind: "Deployment",
      namespace,
      name: "web",
      state: "missing",
      message: "not found",
    });

    await apply(web, namespace, webKinds);
    expect(await look(web, namespace)).toMatchObject({ total: 5, ready: 4, waiting: [{ state: "progressing" }] });

    await writeStatus(
      Deployment,
      { name: "web", namespace },
      { observedGeneration: 1, replicas: 2, updatedReplicas: 2 },
    );
    await cluster.client.create(Pod, podOf("web", "web-1", namespace));
    const waiting = { reason: "ImagePullBackOff", message: "Back-off pulling image" };
    const containerStatuses = [
      { name: "web", state: { waiting }, ready: false, restartCount: 0, image: "web:1", imageID: "" },
    ];
    await writeStatus(Pod, { name: "web-1", namespace }, { phase: "Pending", containerStatuses });
    expect((await look(web, namespace)).waiting).toEqual([
      {
        kind: "Deployment",
        namespace,
        name: "web",
        state: "progressing",
        message:
          "0 of 2 replicas are available; pod web-1: container web cannot pull its image (ImagePullBackOff): Back-off pulling image",
      },
    ]);

    const well = { observedGeneration: 1, replicas: 2, updatedReplicas: 2, readyReplicas: 2, availableReplicas: 2 };
    await writeStatus(Deployment, { name: "web", namespace }, well);
    expect(await look(web, namespace)).toEqual({ total: 5, ready: 5, waiting: [] });
  });

  it("take few requests to inspect, and nearly none for discovery the second time", async () => {
    const namespace = "few";
    await cluster.createNamespace(namespace);
    await apply(web, namespace, webKinds);
    const client = counted(cluster.client);
    const objects = await parseManifest(web);
    await inspect(client, objects, { namespace });
    expect(client.requests.filter((each) => each.startsWith("discover")).toSorted()).toEqual([
      "discover apps/v1",
      "discover rbac.authorization.k8s.io/v1",
      "discover v1",
    ]);
    client.requests.length = 0;
    await inspect(client, objects, { namespace });
    expect(client.requests.toSorted()).toEqual([
      "list clusterroles",
      "list configmaps",
      "list deployments",
      "list events",
      "list pods",
      "list secrets",
    ]);
  });

  it("report the events of a pod without a reason, and of a workload without pods", async () => {
    const namespace = "noted";
    await cluster.createNamespace(namespace);
    await apply(web, namespace, webKinds);
    const note = async (object: DynamicObject, reason: string, message: string): Promise<void> => {
      const { kind, metadata } = object;
      await cluster.client.create(Event, {
        apiVersion: "v1",
        kind: "Event",
        metadata: { name: `note-${metadata.uid ?? ""}`, namespace },
        involvedObject: { kind, namespace, name: metadata.name, uid: metadata.uid },
        type: "Warning",
        reason,
        message,
      } as DynamicObject);
    };
    await note(await cluster.client.get(Deployment, { name: "web", namespace }), "FailedCreate", "not allowed");
    expect((await look(web, namespace)).waiting[0]?.message).toMatch(/; warning FailedCreate: not allowed$/);
    await note(
      await cluster.client.create(Pod, podOf("web", "web-1", namespace)),
      "FailedMount",
      'secret "tls" not found',
    );
    expect((await look(web, namespace)).waiting[0]?.message).toMatch(
      /; pod web-1: warning FailedMount: secret "tls" not found$/,
    );
  });

  it("are found among many others, page by page", async () => {
    const namespace = "many";
    await cluster.createNamespace(namespace);
    const make = (name: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n---\n`;
    const all = Array.from({ length: 30 }, (_, at) => make(`map-${at}`)).join("");
    await apply(all, namespace, [ConfigMap]);
    const list: KubeClient["list"] = (kind, options) => cluster.client.list(kind, { ...options, limit: 7 });
    const paged = { ...counted(cluster.client), list };
    const objects = await parseManifest(make("map-0") + make("map-29") + make("absent"));
    expect(await inspect(paged, objects, { namespace })).toMatchObject({
      total: 3,
      ready: 2,
      waiting: [{ name: "absent", state: "missing" }],
    });
  });

  it("may be of a kind that is not served yet, and are found once it is", async () => {
    const namespace = "things";
    await cluster.createNamespace(namespace);
    const definition = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: things.readiness.test}
spec:
  group: readiness.test
  names: {kind: Thing, plural: things}
  scope: Cluster
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}}
    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
`;
    const thing = "---\napiVersion: readiness.test/v1\nkind: Thing\nmetadata: {name: one}\n";
    const before = await look(definition + thing, namespace);
    expect(before.waiting.map(({ kind, state, message }) => [kind, state, message])).toEqual([
      ["CustomResourceDefinition", "missing", "not found"],
      ["Thing", "missing", "the cluster does not serve kind Thing in readiness.test/v1 yet"],
    ]);
    await apply(definition, namespace, [CustomResourceDefinition]);
    await eventually(async () => (await look(definition, namespace)).ready === 1, {
      what: "the definition being ready",
    });
    await eventually(async () => (await look(thing, namespace)).waiting[0]?.message === "not found");

    const Thing: Kind = { group: "readiness.test", version: "v1", kind: "Thing", plural: "things", scope: "Cluster" };
    await apply(thing, namespace, [Thing]);
    expect(await look(thing, namespace)).toMatchObject({ ready: 1 });
    await writeStatus(Thing, { name: "one" }, { conditions: [{ type: "Ready", status: "False", message: "no DNS" }] });
    expect((await look(thing, namespace)).waiting).toEqual([
      { kind: "Thing", name: "one", state: "progressing", message: "not ready: no DNS" },
    ]);

    await cluster.client.delete(CustomResourceDefinition, { name: "things.readiness.test" });
    await eventually(async () => (await look(thing, namespace)).waiting[0]?.message.includes("does not serve"), {
      what: "the kind being gone",
    });
  });

  it("are ready with a claim that waits for its first consumer, and not ready once a pod uses the claim", async () => {
    const namespace = "claims";
    await cluster.createNamespace(namespace);
    const volumeClass = { apiVersion: "storage.k8s.io/v1", kind: "StorageClass", provisioner: "readiness.test/none" };
    const metadata = { name: "readiness-late" };
    await cluster.client.create(StorageClass, {
      ...volumeClass,
      metadata,
      volumeBindingMode: "WaitForFirstConsumer",
    } as DynamicObject);
    const claim = `
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data}
spec:
  storageClassName: readiness-late
  accessModes: [ReadWriteOnce]
  resources: {requests: {storage: 1Gi}}
`;
    await apply(claim, namespace, [Claim]);
    expect(await look(claim, namespace)).toMatchObject({ ready: 1 });
    const annotations = { "volume.kubernetes.io/selected-node": "node-1" };
    await cluster.client.patch(
      Claim,
      { name: "data", namespace },
      { type: "merge", patch: { metadata: { annotations } } },
    );
    expect(await look(claim, namespace)).toMatchObject({ ready: 0, waiting: [{ state: "progressing" }] });
  });

  it("list failed ones first, and do not wait for Jobs that delete themselves", async () => {
    const namespace = "jobs";
    await cluster.createNamespace(namespace);
    const job = (name: string, more = ""): string =>
      `---\napiVersion: batch/v1\nkind: Job\nmetadata: {name: ${name}}\nspec: {${more}template: {spec: {restartPolicy: Never, containers: [{name: a, image: "a"}]}}}\n`;
    const absent = "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: absent}\n";
    const manifest = `${job("runs")}${absent}${job("fails")}${job("gone", "ttlSecondsAfterFinished: 5, ")}`;
    const Job: Kind = { group: "batch", version: "v1", kind: "Job", plural: "jobs", scope: "Namespaced" };
    await apply(job("runs") + job("fails"), namespace, [Job]);
    const startTime = "2026-01-01T00:00:00Z";
    const failure = {
      status: "True",
      reason: "BackoffLimitExceeded",
      message: "too often",
      lastTransitionTime: startTime,
    };
    const conditions = ["FailureTarget", "Failed"].map((type) => ({ type, ...failure }));
    await writeStatus(Job, { name: "fails", namespace }, { startTime, failed: 1, conditions });
    const { total, ready, waiting } = await look(manifest, namespace);
    expect({ total, ready }).toEqual({ total: 4, ready: 1 });
    expect(waiting.map(({ name, state }) => [name, state])).toEqual([
      ["fails", "failed"],
      ["absent", "missing"],
      ["runs", "progressing"],
    ]);
    expect(waiting[0]?.message).toBe("failed: too often");
  });

  it("are not read any further when the inspection is aborted", async () => {
    const options = { namespace: "web", signal: AbortSignal.abort(new Error("given up")) };
    await expect(inspect(cluster.client, await parseManifest(web), options)).rejects.toThrow("given up");
  });
});
