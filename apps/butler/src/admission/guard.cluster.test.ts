import { DataStore, TenantControlPlane } from "@butler/api";
import type { AdmissionHandler } from "@butler/kube";
import { apiVersionOf, type DynamicObject, type KubeObject, type Resource } from "@butler/resource";
import { Forbidden, InvalidInput } from "@butler/std";
import { eventually, aTestCluster, type TestCluster } from "@butler/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { admissionGuard, guardKinds } from "./guard.ts";
import { emptyConfigurations, webhookConfigurationKinds, webhookConfigurations } from "./manifests.ts";

const { validating } = webhookConfigurationKinds;
const name = "butler-steward";
const handlers: readonly AdmissionHandler[] = [
  { path: "/stores", kind: DataStore, validate: () => [] },
  { path: "/planes", kind: TenantControlPlane, validate: () => [] },
];

let cluster: TestCluster;

beforeAll(async () => {
  cluster = await aTestCluster({ resources: [DataStore, TenantControlPlane] });
  await cluster.createNamespace("payments");
});
afterAll(() => cluster?.stop());

/** Why an object of a kind cannot be created; undefined when it can. */
async function refusalOf(kind: Resource): Promise<string | undefined> {
  const { metadata, ...example } = kind.example as { metadata: object };
  const place = kind.scope === "Cluster" ? {} : { namespace: "payments" };
  const object = {
    apiVersion: kind.apiVersion,
    kind: kind.kind,
    ...example,
    metadata: { ...metadata, ...place, name: "asked" },
  } as KubeObject;
  try {
    await cluster.client.create(kind, object, { dryRun: true });
    return undefined;
  } catch (error) {
    // The API server says Invalid when the configuration itself is missing.
    if (!(error instanceof Forbidden || error instanceof InvalidInput)) throw error;
    return error.message;
  }
}

/** The configuration as the server registers it. A condition keeps the API server from calling it: no server is running. */
function registered(change: object = {}, of: readonly AdmissionHandler[] = handlers): DynamicObject {
  const owner = { apiVersion: "v1", kind: "Namespace", metadata: { name: "payments", uid: "1" } };
  const [object = expect.fail("none")] = webhookConfigurations(of, {
    name,
    namespace: "payments",
    authorities: "",
    owner,
  });
  const { ownerReferences: _owners, ...metadata } = object.metadata;
  const matchConditions = [{ name: "never", expression: "false" }];
  const webhooks = (object["webhooks"] as object[]).map((webhook) => ({ ...webhook, matchConditions, ...change }));
  return { ...object, metadata, webhooks };
}

const put = (object: DynamicObject): Promise<unknown> =>
  cluster.client.apply(validating, object, { fieldManager: "test", force: true });
const isClosed = (kind: Resource) => eventually(async () => (await refusalOf(kind))?.includes("butler-steward"));
const isOpen = (kind: Resource) => eventually(async () => (await refusalOf(kind)) === undefined);

describe("kinds with admission", { timeout: 60_000 }, () => {
  it("reject every write before the admission server has registered, and accept writes afterwards", async () => {
    const [policy, binding] = admissionGuard(name, handlers);
    expect(await refusalOf(DataStore)).toBe(undefined);
    for (const object of emptyConfigurations(name)) {
      if (object.kind === validating.kind) await put(object);
    }
    await cluster.client.create(guardKinds.policy, policy ?? expect.fail("no policy"));
    await cluster.client.create(guardKinds.binding, binding ?? expect.fail("no binding"));
    await isClosed(DataStore);
    expect(await refusalOf(TenantControlPlane)).toContain(
      "the admission webhooks of butler-steward are not registered; wait until its Deployment is ready, then retry",
    );
    await put(registered());
    await isOpen(DataStore);
    await isOpen(TenantControlPlane);
  });

  it.each<[string, () => Promise<unknown>]>([
    ["emptied", () => put({ ...registered(), webhooks: [] })],
    ["made lenient", () => put(registered({ failurePolicy: "Ignore" }))],
    ["deleted", () => cluster.client.delete(validating, { name })],
  ])("are closed again when the configuration is %s, and open once it is restored", async (_title, spoil) => {
    await spoil();
    await isClosed(DataStore);
    await isClosed(TenantControlPlane);
    await put(registered());
    await isOpen(DataStore);
  });

  it("are closed one by one: a webhook for one kind does not open another", async () => {
    await put(registered({}, handlers.slice(0, 1)));
    await isClosed(TenantControlPlane);
    expect(await refusalOf(DataStore)).toBe(undefined);
  });
});

describe("the policy", () => {
  it("covers exactly the kinds that validating webhooks are called for", () => {
    const mutating: AdmissionHandler = { path: "/mutate", kind: TenantControlPlane, mutate: () => ({}) };
    const [policy] = admissionGuard(name, [mutating, ...handlers.slice(0, 1)]);
    expect(policy).toMatchObject({
      spec: {
        failurePolicy: "Fail",
        matchConstraints: {
          resourceRules: [{ apiGroups: [DataStore.group], resources: [DataStore.plural] }],
        },
      },
    });
    expect(apiVersionOf(guardKinds.policy)).toBe("admissionregistration.k8s.io/v1");
  });
});
