import { allResources, DataStore, NetworkPool, TenantCluster } from "@butler/api";
import type { Release } from "@butler/helm";
import { buildCrd, type DynamicObject, type KubeObject } from "@butler/resource";
import { deepFreeze } from "@butler/std";
import type { DoctorFacts } from "../facts.ts";

/** The current time in tests. */
export const now = new Date("2026-11-16T02:00:00Z");
/** A time some days later. */
export const inDays = (days: number): string => new Date(now.getTime() + days * 86_400_000).toISOString();
/** A time a few minutes earlier. */
export const minutesAgo = (minutes: number): string => new Date(now.getTime() - minutes * 60_000).toISOString();

/** A kind that the API server serves. */
export function established(definition: KubeObject): DynamicObject {
  const conditions = [{ type: "Established", status: "True" }];
  return { ...(definition as DynamicObject), status: { conditions } };
}

/** A Deployment whose pods are all ready, unless its status says otherwise. */
export function aDeployment(
  name: string,
  replicas: number,
  further: { status?: object; args?: string[]; labels?: object; image?: string } = {},
): DynamicObject {
  const { status = {}, args = [], labels = {}, image = "ghcr.io/x/butler:v0.1.0" } = further;
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name, namespace: "butler-system", generation: 1, labels: labels as Record<string, string> },
    spec: { replicas, template: { spec: { containers: [{ image, args }] } } },
    status: { observedGeneration: 1, updatedReplicas: replicas, availableReplicas: replicas, ...status },
  };
}

/** A Lease with a holder. */
export function aLease(name: string, renewTime: string): DynamicObject {
  const spec = { holderIdentity: "butler-controller-5d-x_0f8fad5b-d9cb-469f-a165-70867728950e", renewTime };
  return { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata: { name }, spec };
}

function anObject(kind: { apiVersion: string; kind: string }, metadata: object, body: object): unknown {
  return { apiVersion: kind.apiVersion, kind: kind.kind, metadata, ...body };
}

/** A kind of Cluster API's. */
export const capiDefinition = (name: string, version = "v1beta2"): DynamicObject =>
  established({
    apiVersion: "v1",
    kind: "CustomResourceDefinition",
    metadata: { name },
    spec: { versions: [{ name: version, served: true }] },
  } as KubeObject);

/** The release that runs. */
export const release = {
  name: "butler",
  namespace: "butler-system",
  revision: 3,
  status: "deployed",
  description: "Upgrade complete",
  chart: { name: "butler", version: "0.1.0", appVersion: "0.1.0" },
  values: {},
} as unknown as Release;

const elected = ["--leader-election"];
/** A manager of Cluster API's. */
export const provider = (image: string, status = {}): DynamicObject =>
  aDeployment("capi-controller-manager", 1, { image, status, labels: { "cluster.x-k8s.io/provider": "cluster-api" } });

/** A condition. */
export const condition = (type: string, status: string, message = ""): object => ({
  type,
  status,
  reason: "Test",
  message,
});

/** A healthy installation. */
export const well: DoctorFacts = deepFreeze({
  now,
  namespace: "butler-system",
  kubernetes: "v1.36.3",
  history: [release],
  deployments: [aDeployment("butler-controller", 2, { args: elected }), aDeployment("butler-steward", 1)],
  pods: [],
  leases: [aLease("butler-controller", minutesAgo(0.05))],
  definitions: [
    ...allResources.map((resource) => established(buildCrd(resource))),
    capiDefinition("clusters.cluster.x-k8s.io"),
    capiDefinition("kubeadmconfigtemplates.bootstrap.cluster.x-k8s.io"),
  ],
  webhooks: [
    {
      apiVersion: "v1",
      kind: "ValidatingWebhookConfiguration",
      metadata: { name: "butler-controller" },
      webhooks: [{}],
    },
  ],
  ownCertificates: [{ what: "tls.crt in Secret butler-controller-webhook", notAfter: inDays(90) }],
  clusters: [
    anObject(
      TenantCluster,
      { name: "blue", namespace: "payments" },
      { spec: {}, status: { phase: "Ready" } },
    ) as TenantCluster,
  ],
  controlPlanes: [],
  dataStores: [
    anObject(
      DataStore,
      { name: "default" },
      { spec: {}, status: { conditions: [condition("Ready", "True")] } },
    ) as DataStore,
  ],
  pools: [
    anObject(
      NetworkPool,
      { name: "underlay", namespace: "butler-system" },
      { spec: {}, status: { used: "10%", availableIPs: 90, totalIPs: 100 } },
    ) as NetworkPool,
  ],
  unreadable: [],
  leaving: [],
  namespaces: [
    {
      apiVersion: "v1",
      kind: "Namespace",
      metadata: { name: "payments", labels: { "butler.butlerlabs.dev/team": "payments" } },
    },
  ],
  teams: ["payments"],
  failedAddons: [],
  providers: [provider("registry.k8s.io/cluster-api/cluster-api-controller:v1.14.2")],
  webhookAnswers: { "butler-controller": undefined },
  causes: {},
});

/** A pool with a capacity condition. */
export const full = (type: string): DoctorFacts["pools"] => [
  {
    ...well.pools[0],
    status: { availableIPs: 1, totalIPs: 100, conditions: [condition(type, "True")] },
  } as NetworkPool,
];
/** A cluster that is not ready. */
export const pending = anObject(
  TenantCluster,
  { name: "green", namespace: "payments" },
  { spec: {}, status: { phase: "Provisioning" } },
) as TenantCluster;
/** Why it is not ready. */
export const cause = { sentence: "The image is missing.", nextStep: "Provide the image." };
/** A team that has been terminating for a few minutes. */
export const leaving = (minutes: number): KubeObject => ({
  apiVersion: "v1",
  kind: "Team",
  metadata: { name: "old", deletionTimestamp: minutesAgo(minutes), finalizers: ["butler.butlerlabs.dev/team"] },
});
/** A namespace with labels. */
export const orphan = (labels: Record<string, string>): KubeObject[] => [
  { apiVersion: "v1", kind: "Namespace", metadata: { name: "left", labels } },
];
