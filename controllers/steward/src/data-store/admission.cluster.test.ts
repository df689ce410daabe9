import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DataStore, TenantControlPlane } from "@butler/api";
import { AdmissionServer } from "@butler/kube";
import { builtinKinds, type DynamicObject, type Kind, type KubeObject } from "@butler/resource";
import { eventually, type TestCluster } from "@butler/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dataStoreAdmission } from "./admission.ts";
import { sharedEtcdPlace } from "./default-data-store.ts";
import { etcdKinds } from "./kinds.ts";
import { dataStoreAt, storeNamespace, startStores, type StoreHarness } from "./testing/store-harness.ts";
import { defaultDataStoreObjects, issueEtcdCertificates } from "./testing/shared-etcd.ts";

const webhookKind: Kind = {
  group: "admissionregistration.k8s.io",
  version: "v1",
  kind: "ValidatingWebhookConfiguration",
  plural: "validatingwebhookconfigurations",
  scope: "Cluster",
};

let cluster: TestCluster;
let harness: StoreHarness;
let server: AdmissionServer;
let directory: string;

const create = (spec: object, name = "tried") =>
  cluster.client.create(DataStore, {
    apiVersion: DataStore.apiVersion,
    kind: DataStore.kind,
    metadata: { name },
    spec,
  } as KubeObject);
const specAt = (...endpoints: string[]) => (dataStoreAt("any", endpoints) as DynamicObject)["spec"] as object;
const postgres = {
  driver: "PostgreSQL",
  endpoints: ["postgres:5432"],
  basicAuth: { username: { content: "cm9vdA==" }, password: { content: "c2VjcmV0" } },
};

async function startWebhook(): Promise<void> {
  const { cert, key } = await harness.issue("webhook");
  const certificate = { certFile: join(directory, "tls.crt"), keyFile: join(directory, "tls.key") };
  await writeFile(certificate.certFile, cert);
  await writeFile(certificate.keyFile, key);
  const handler = dataStoreAdmission(cluster.client);
  server = new AdmissionServer({ handlers: [handler], certificate, port: 0, host: "127.0.0.1" });
  const url = `https://127.0.0.1:${await server.start()}${handler.path}`;
  const operations = ["CREATE", "UPDATE", "DELETE"];
  const { group, version, plural } = DataStore;
  const webhook = {
    name: "data-store.butler.test",
    clientConfig: { url, caBundle: Buffer.from(harness.authority.cert).toString("base64") },
    rules: [{ apiGroups: [group], apiVersions: [version], operations, resources: [plural] }],
    failurePolicy: "Fail",
    sideEffects: "None",
    admissionReviewVersions: ["v1"],
  };
  const metadata = { name: "data-store" };
  const configuration = { apiVersion: "admissionregistration.k8s.io/v1", kind: webhookKind.kind, metadata };
  await cluster.client.create(webhookKind, { ...configuration, webhooks: [webhook] } as KubeObject);
  const isInForce = () =>
    create(postgres, "probe").then(() => cluster.client.delete(DataStore, { name: "probe" }), String);
  await eventually(async () => String(await isInForce()).includes("not supported"), { what: "the webhook in force" });
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "butler-data-store-"));
  ({ cluster, harness } = await startStores());
});
afterAll(async () => {
  await server?.stop();
  await cluster?.stop();
  if (directory !== undefined) await rm(directory, { recursive: true, force: true });
});

describe("the API server itself", () => {
  const dedicated = { driver: "etcd", dedicated: {} };

  it("defaults the fields of a dedicated store", async () => {
    const { spec } = await create(dedicated, "dedicated");
    expect(spec).toEqual({ driver: "etcd", dedicated: { members: 1, storage: { size: "8Gi" } } });
  });

  it.each([
    ["two members", { driver: "etcd", dedicated: { members: 2 } }, "must be 1 or 3"],
    ["five members", { driver: "etcd", dedicated: { members: 5 } }, "less than or equal to 3"],
    ["dedicated with endpoints", { ...dedicated, endpoints: ["a:1"] }, "dedicated cannot be combined with endpoints"],
    ["a dedicated SQL store", { ...dedicated, driver: "MySQL" }, "may only be set when driver is etcd"],
    ["neither endpoints nor dedicated", { driver: "etcd" }, "spec.endpoints: Required value"],
    ["an invalid size", { driver: "etcd", dedicated: { storage: { size: "much" } } }, "size"],
  ])("refuses %s", async (_name, spec, message) => {
    await expect(create(spec)).rejects.toThrow(message);
  });

  it.each([
    ["members", { dedicated: { members: 3 } }, "members is immutable"],
    ["the size", { dedicated: { storage: { size: "9Gi" } } }, "size is immutable"],
    ["the class", { dedicated: { storage: { storageClassName: "fast" } } }, "is immutable"],
    ["from dedicated to shared", { ...specAt("a:1"), dedicated: null }, "cannot be added or removed"],
  ])("refuses to change %s", async (_name, spec, message) => {
    const patch = { type: "merge", patch: { spec } } as const;
    await expect(cluster.client.patch(DataStore, { name: "dedicated" }, patch)).rejects.toThrow(message);
  });

  it("accepts every object of the default DataStore unchanged", async () => {
    const certificates = await issueEtcdCertificates(sharedEtcdPlace({ namespace: storeNamespace }));
    const kinds = [builtinKinds.Secret, DataStore, ...Object.values(etcdKinds)];
    for (const members of [3, 1]) {
      const resources = { requests: { cpu: "1" }, limits: { memory: "1Gi" } };
      const storage = { size: "1Gi", storageClassName: "fast" };
      const objects = defaultDataStoreObjects({ namespace: storeNamespace, certificates, members, storage, resources });
      for (const object of objects) {
        const kind = kinds.find((candidate) => candidate.kind === object.kind);
        const options = { fieldManager: "test", dryRun: true, fieldValidation: "Strict" } as const;
        await cluster.client.apply(kind ?? DataStore, object, options);
      }
    }
  });
});

describe("admission", () => {
  beforeAll(startWebhook);

  it("rejects other drivers as not supported yet", async () => {
    await expect(create(postgres)).rejects.toThrow("spec.driver: PostgreSQL is not supported yet; use etcd");
  });

  it("rejects a DataStore whose Secrets do not exist", async () => {
    const refusal = create(specAt("a:1"));
    await expect(refusal).rejects.toThrow(/certificateAuthority.certificate.secretReference: Secret .* does not exist/);
    await harness.createSecret("etcd-certs", { texts: { "ca.crt": "x", "ca.key": "x", "tls.crt": "x" } });
    await expect(create(specAt("a:1"))).rejects.toThrow('steward-system/etcd-certs has no key "tls.key"');
  });

  it("rejects the deletion of a DataStore in use, and allows it afterwards", async () => {
    await harness.createSecret("etcd-certs", {
      texts: { "ca.crt": "x", "ca.key": "x", "tls.crt": "x", "tls.key": "x" },
    });
    await create(specAt("a:1"), "used");
    await harness.createControlPlane("blue", "used");
    const remove = () => cluster.client.delete(DataStore, { name: "used" });
    await expect(remove()).rejects.toThrow(/1 control plane\(s\) use this DataStore: steward-system\/blue/);
    await cluster.client.delete(TenantControlPlane, { name: "blue", namespace: storeNamespace });
    await remove();
    expect(await cluster.client.find(DataStore, { name: "used" })).toBeUndefined();
  });

  it("allows labels on a DataStore whose Secret was lost", async () => {
    await create(specAt("a:1"), "orphan");
    await cluster.client.delete(builtinKinds.Secret, { name: "etcd-certs", namespace: storeNamespace });
    const patch = (body: object) => cluster.client.patch(DataStore, { name: "orphan" }, { type: "merge", patch: body });
    await patch({ metadata: { labels: { a: "b" } } });
    await expect(patch({ spec: { endpoints: ["b:1"] } })).rejects.toThrow(/does not exist/);
  });
});
