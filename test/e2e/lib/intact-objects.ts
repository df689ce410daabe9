import type { KubectlCalls } from "./kubectl-calls.ts";

const group = "test.butlerlabs.dev";
const kinds = `configmaps,secrets,serviceaccounts,roles,widgets.${group}`;
const metadata = { name: "kept", namespace: "default", labels: { kept: "true" } };

const widgets = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `widgets.${group}` },
  spec: {
    group,
    scope: "Namespaced",
    names: { plural: "widgets", singular: "widget", kind: "Widget" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
      },
    ],
  },
};

/** Objects of several kinds, including a custom resource, that only the test changes. */
const objects: readonly object[] = [
  { apiVersion: "v1", kind: "ConfigMap", metadata, data: { text: "as it was" } },
  { apiVersion: "v1", kind: "Secret", metadata, stringData: { password: "as it was" } },
  { apiVersion: "v1", kind: "ServiceAccount", metadata },
  {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "Role",
    metadata,
    rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }],
  },
  { apiVersion: `${group}/v1`, kind: "Widget", metadata, spec: { size: 7 } },
];

/** Creates objects in a tenant that must never change. */
export async function makeIntactObjects(tenant: KubectlCalls): Promise<void> {
  await tenant.apply([widgets]);
  await tenant.run("wait", "crd", widgets.metadata.name, "--for=condition=Established", "--timeout=60s");
  await tenant.apply(objects);
}

/** The current objects; without writes, even their versions are unchanged. */
export async function readIntactObjects(tenant: KubectlCalls): Promise<readonly object[]> {
  const list = await tenant.run("get", kinds, "-n", "default", "-l", "kept=true", "-o", "json");
  const { items } = JSON.parse(list) as { items: object[] };
  return items;
}
