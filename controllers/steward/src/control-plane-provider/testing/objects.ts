import { StewardControlPlane, TenantControlPlane } from "@butler/api";
import { caSecretName, Cluster, clusterNameLabel, clusterSecretType, kubeconfigSecretName } from "@butler/api-external";
import {
  apiVersionOf,
  type Condition,
  controllerReference,
  type DynamicObject,
  type InputOf,
  type KubeObject,
  type ObjectMeta,
  parseObject,
} from "@butler/resource";
import { buildTenantControlPlane } from "../manifests.ts";
import { adminSecretName, authoritySecretName, exportedLabels } from "../names.ts";
import { tenantNetwork } from "../tenant-network.ts";

const namespace = "default";

/** Address of the API server of every tenant in these tests. */
export const endpoint = { host: "10.0.0.7", port: 6443 };

type Traits<R extends typeof StewardControlPlane | typeof TenantControlPlane> = Partial<ObjectMeta> & {
  spec?: Partial<InputOf<R>["spec"]>;
  status?: InputOf<R>["status"];
};

/** StewardControlPlane `blue` of Cluster `blue`, with its defaults filled in. */
export function aControlPlane({
  spec = {},
  status,
  ...metadata
}: Traits<typeof StewardControlPlane> = {}): StewardControlPlane {
  return parseObject(StewardControlPlane, {
    apiVersion: StewardControlPlane.apiVersion,
    kind: StewardControlPlane.kind,
    metadata: {
      name: "blue",
      namespace,
      uid: "uid-of-blue",
      generation: 1,
      labels: { [clusterNameLabel]: "blue" },
      ownerReferences: [ownedByCluster("blue")],
      ...metadata,
    },
    spec: { version: "v1.36.3", ...spec },
    ...(status === undefined ? {} : { status }),
  });
}

/** The owner reference that Cluster API sets on a control plane. */
export function ownedByCluster(name: string, uid = `uid-of-cluster-${name}`) {
  return { apiVersion: apiVersionOf(Cluster), kind: Cluster.kind, name, uid };
}

/** Cluster `blue`, whose infrastructure is a LocalCluster. */
export function aCluster({ spec = {}, ...metadata }: Partial<ObjectMeta> & { spec?: Cluster["spec"] } = {}): Cluster {
  const infrastructureRef = { apiGroup: "infrastructure.cluster.x-k8s.io", kind: "LocalCluster", name: "blue" };
  return {
    apiVersion: apiVersionOf(Cluster),
    kind: Cluster.kind,
    metadata: { name: "blue", namespace, ...metadata },
    spec: { infrastructureRef, ...spec },
  };
}

/** The TenantControlPlane that the provider creates, with the status of its own controller. */
export function aTenant(
  controlPlane: StewardControlPlane = aControlPlane(),
  { status, ...metadata }: Traits<typeof TenantControlPlane> = {},
): TenantControlPlane {
  const network = tenantNetwork(controlPlane, aCluster());
  if ("reason" in network) throw new Error(network.message);
  const built = buildTenantControlPlane({ controlPlane, clusterName: "blue", network });
  const ownerReferences = [controllerReference(controlPlane)];
  return parseObject(TenantControlPlane, {
    ...built,
    metadata: { ...built.metadata, uid: "uid-of-tenant", generation: 1, ownerReferences, ...metadata },
    ...(status === undefined ? {} : { status }),
  });
}

/** A condition with status True. */
export function aCondition(type: string, change: Partial<Condition> = {}): Condition {
  const lastTransitionTime = "2026-01-01T00:00:00Z";
  return { type, status: "True", reason: "Fine", message: "", lastTransitionTime, ...change };
}

/** The status of a TenantControlPlane with two pods that serves and accepts nodes. */
export function servingStatus({
  version = "v1.36.3",
  replicas = 2,
  name = "blue",
}: {
  readonly version?: string;
  readonly replicas?: number;
  readonly name?: string;
} = {}): NonNullable<TenantControlPlane["status"]> {
  return {
    observedGeneration: 1,
    conditions: [aCondition("Available"), aCondition("Ready")],
    controlPlaneEndpoint: `${endpoint.host}:${endpoint.port}`,
    kubeadmPhase: { bootstrapToken: { checksum: "1" } },
    kubernetesResources: {
      version: { version, status: "Ready" },
      deployment: {
        selector: `steward.butlerlabs.dev/name=${name}`,
        replicas,
        readyReplicas: replicas,
        availableReplicas: replicas,
        updatedReplicas: replicas,
      },
    },
  };
}

/** A Secret from plain text data. */
export function aSecretOf(
  name: string,
  { data, type = "Opaque", ...metadata }: Partial<ObjectMeta> & { data: Record<string, string>; type?: string },
): DynamicObject {
  const encoded = Object.entries(data).map(([key, text]) => [key, base64(text)]);
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name, namespace, uid: `uid-of-${name}`, ...metadata },
    type,
    data: Object.fromEntries(encoded),
  };
}

/** Text in base64, as in Secrets. */
export function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}

/** The admin kubeconfigs that the TenantControlPlane controller creates. */
export function anAdminSecret(tenant: KubeObject = aTenant(), kubeconfig = "kubeconfig 1"): DynamicObject {
  return aSecretOf(adminSecretName(tenant.metadata.name), {
    data: { "admin.conf": kubeconfig, "super-admin.conf": "all powers" },
    labels: { ...exportedLabels(tenant.metadata.name), "steward.butlerlabs.dev/component": "admin-kubeconfig" },
    ownerReferences: [controllerReference(tenant)],
  });
}

/** The CA that the TenantControlPlane controller creates. */
export function anAuthoritySecret(tenant: KubeObject = aTenant(), certificate = "certificate 1"): DynamicObject {
  const { name, labels } = tenant.metadata;
  const clusterName = labels?.[clusterNameLabel];
  return aSecretOf(authoritySecretName(name), {
    data: { "ca.crt": certificate, "ca.key": "secret key", "tls.crt": certificate, "tls.key": "secret key" },
    type: clusterSecretType,
    labels: { ...exportedLabels(name), ...(clusterName === undefined ? {} : { [clusterNameLabel]: clusterName }) },
    ownerReferences: [controllerReference(tenant)],
  });
}

/** One of the Secrets that Cluster API reads, as the provider creates it. */
export function aClusterSecret(which: "kubeconfig" | "ca", clusterName = "blue"): DynamicObject {
  const name = which === "ca" ? caSecretName(clusterName) : kubeconfigSecretName(clusterName);
  const data: Record<string, string> = which === "ca" ? { "tls.crt": "certificate 1" } : { value: "kubeconfig 1" };
  return aSecretOf(name, { data, type: clusterSecretType, ownerReferences: [controllerReference(aControlPlane())] });
}
