import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { ensureTools } from "@butler/engine";
import { builtinKinds } from "@butler/resource";
import { startTestCluster, type TestCluster } from "@butler/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inspect } from "../inspect/inspect.ts";
import { parseManifest } from "../manifest/parse-manifest.ts";
import { findDrift } from "./find-drift.ts";

const execute = promisify(execFile);
const namespace = "shop";
let cluster: TestCluster;
let folder: string;
let program: string;

async function helm(...args: string[]): Promise<string> {
  const places = ["CACHE", "CONFIG", "DATA"].map((kind) => [`HELM_${kind}_HOME`, join(folder, kind)]);
  const env = { PATH: process.env["PATH"], HOME: folder, ...(Object.fromEntries(places) as Record<string, string>) };
  const { kubeconfigPath } = cluster.controlPlane;
  return (await execute(program, [...args, "-n", namespace, "--kubeconfig", kubeconfigPath], { env })).stdout;
}

/** Of each sort of object one that the server adds much to. */
const templates = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: {{ .Release.Name }}}
spec:
  replicas: {{ .Values.replicas }}
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - {name: web, image: "web:1", ports: [{containerPort: 80}], resources: {limits: {cpu: 1, memory: 1024Mi}}}
---
apiVersion: v1
kind: Service
metadata: {name: {{ .Release.Name }}}
spec: {type: LoadBalancer, selector: {app: web}, ports: [{port: 80}]}
---
apiVersion: v1
kind: Secret
metadata: {name: {{ .Release.Name }}}
stringData: {password: {{ .Values.password }}}
---
apiVersion: v1
kind: ServiceAccount
metadata: {name: {{ .Release.Name }}}
---
apiVersion: batch/v1
kind: CronJob
metadata: {name: {{ .Release.Name }}}
spec:
  schedule: "0 3 * * *"
  jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: a, image: "a:1"}]}}}}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: readiness-release}
webhooks:
- name: a.readiness.test
  admissionReviewVersions: [v1]
  sideEffects: None
  failurePolicy: Ignore
  clientConfig: {service: {name: a, namespace: a}}
  rules: [{apiGroups: [readiness.test], apiVersions: [v1], operations: [CREATE], resources: [things]}]
`;

async function drift(): Promise<readonly string[]> {
  const objects = await parseManifest(await helm("get", "manifest", "web"));
  return (await findDrift(cluster.client, objects, { namespace })).map(({ kind, message }) => `${kind}: ${message}`);
}

describe("a release of the real helm", () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "butler-readiness-"));
    program = (await ensureTools(["helm"])).helm;
    cluster = await startTestCluster({ name: "readiness-helm" });
    await cluster.createNamespace(namespace);
    const chart = join(folder, "web");
    await mkdir(join(chart, "templates"), { recursive: true });
    await writeFile(join(chart, "Chart.yaml"), "apiVersion: v2\nname: web\nversion: 1.0.0\n");
    await writeFile(join(chart, "values.yaml"), "replicas: 2\npassword: hunter2\n");
    await writeFile(join(chart, "templates", "all.yaml"), templates);
  });
  afterAll(async () => {
    await cluster?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it.each(["true", "false"])(
    "has no drift after install, upgrade and rollback, with server-side apply %s",
    async (side) => {
      const chart = join(folder, "web");
      await helm("install", "web", chart, `--server-side=${side}`);
      expect(await drift()).toEqual([]);
      await helm("upgrade", "web", chart, "--set", "replicas=3", `--server-side=${side}`);
      expect(await drift()).toEqual([]);
      await helm("rollback", "web", "1");
      expect(await drift()).toEqual([]);

      const { client } = cluster;
      const key = { name: "web", namespace };
      await client.patch(builtinKinds.Deployment, key, { type: "merge", patch: { spec: { replicas: 7 } } });
      await client.delete(builtinKinds.Secret, key);
      expect((await drift()).toSorted()).toEqual([
        "Deployment: spec.replicas is 7, the chart says 2",
        "Secret: it is missing",
      ]);
      const objects = await parseManifest(await helm("get", "manifest", "web"));
      expect(await inspect(client, objects, { namespace })).toMatchObject({
        total: 6,
        ready: 3,
        waiting: [{ kind: "Secret", state: "missing" }, { state: "progressing" }, { state: "progressing" }],
      });
      await helm("uninstall", "web");
    },
  );
});
