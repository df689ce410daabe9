import { HelmHarness } from "@butler/helm/testing";
import { builtinKinds } from "@butler/resource";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inspect } from "../inspect/inspect.ts";
import { parseManifest } from "../manifest/parse-manifest.ts";
import { findDrift } from "./find-drift.ts";

const namespace = "shop";
let harness: HelmHarness;
let chart: string;

/** One object of each kind to which the server adds many fields. */
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
  const objects = await parseManifest(await harness.helm("get", "manifest", "web"));
  return (await findDrift(harness.cluster.client, objects, { namespace })).map(
    ({ kind, message }) => `${kind}: ${message}`,
  );
}

describe("a release of the real helm", () => {
  beforeAll(async () => {
    harness = await HelmHarness.open("readiness-helm", namespace);
    chart = await harness.writeChart("web", {
      "Chart.yaml": "apiVersion: v2\nname: web\nversion: 1.0.0\n",
      "values.yaml": "replicas: 2\npassword: hunter2\n",
      "templates/all.yaml": templates,
    });
  });
  afterAll(() => harness?.close());

  it.each(["true", "false"])(
    "has no drift after install, upgrade and rollback, with server-side apply %s",
    async (side) => {
      await harness.helm("install", "web", chart, `--server-side=${side}`);
      expect(await drift()).toEqual([]);
      await harness.helm("upgrade", "web", chart, "--set", "replicas=3", `--server-side=${side}`);
      expect(await drift()).toEqual([]);
      await harness.helm("rollback", "web", "1");
      expect(await drift()).toEqual([]);

      const { client } = harness.cluster;
      const key = { name: "web", namespace };
      await client.patch(builtinKinds.Deployment, key, { type: "merge", patch: { spec: { replicas: 7 } } });
      await client.delete(builtinKinds.Secret, key);
      expect((await drift()).toSorted()).toEqual(["Deployment: spec.replicas is 7 (chart: 2)", "Secret: missing"]);
      const objects = await parseManifest(await harness.helm("get", "manifest", "web"));
      expect(await inspect(client, objects, { namespace })).toMatchObject({
        total: 6,
        ready: 3,
        waiting: [{ kind: "Secret", state: "missing" }, { state: "progressing" }, { state: "progressing" }],
      });
      await harness.helm("uninstall", "web");
    },
  );
});
