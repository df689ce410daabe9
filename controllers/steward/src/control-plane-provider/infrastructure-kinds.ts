import { LocalCluster } from "@butler/api";
import type { PolicyRule } from "@butler/controller";

const group = "infrastructure.cluster.x-k8s.io";

/** How an infrastructure provider handles the endpoint of a cluster. */
export interface InfrastructureKind {
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  /**
   * `write`: it waits for an endpoint, or keeps one that it is given. `check`: it must have one from its author.
   * `none`: it takes the endpoint from the Cluster.
   */
  readonly endpoint: "write" | "check" | "none";
  /** The field of the endpoint: that of the Cluster API contract, or OpenStack's fixed IP. */
  readonly form: "controlPlaneEndpoint" | "apiServerFixedIP";
}

const contractual = (kind: string, endpoint: InfrastructureKind["endpoint"] = "write"): InfrastructureKind => ({
  group,
  kind,
  plural: `${kind.toLowerCase()}s`,
  endpoint,
  form: "controlPlaneEndpoint",
});

/** The supported infrastructure kinds. */
export const infrastructureKinds: readonly InfrastructureKind[] = [
  contractual(LocalCluster.kind, "none"),
  contractual("AWSCluster"),
  contractual("AzureCluster"),
  contractual("DockerCluster"),
  contractual("GCPCluster"),
  contractual("HarvesterCluster"),
  contractual("HetznerCluster"),
  contractual("IonosCloudCluster"),
  contractual("KubevirtCluster"),
  contractual("Metal3Cluster", "check"),
  contractual("NutanixCluster"),
  contractual("PacketCluster"),
  contractual("ProxmoxCluster"),
  contractual("TinkerbellCluster"),
  contractual("VSphereCluster"),
  { ...contractual("OpenStackCluster"), form: "apiServerFixedIP" },
];

/** The kind of a reference, if it is supported. */
export function findInfrastructureKind(reference: {
  readonly apiGroup: string;
  readonly kind: string;
}): InfrastructureKind | undefined {
  return infrastructureKinds.find(({ kind }) => reference.apiGroup === group && reference.kind === kind);
}

const touched = infrastructureKinds.filter(({ endpoint }) => endpoint !== "none").map(({ plural }) => plural);

/** Permissions to read the infrastructure of a Cluster and to set its endpoint. */
export const infrastructurePermissions: readonly PolicyRule[] = [
  { apiGroups: [group], resources: touched, verbs: ["get", "patch"] },
  { apiGroups: [group], resources: touched.map((plural) => `${plural}/status`), verbs: ["patch"] },
  { apiGroups: ["apiextensions.k8s.io"], resources: ["customresourcedefinitions"], verbs: ["get"] },
];
