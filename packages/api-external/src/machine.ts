import type { Condition, Kind, KubeObject } from "@butler/resource";
import { clusterApiGroup } from "./cluster-api-names.ts";
import type { ContractReference } from "./contract-reference.ts";

/** A machine that is, or will become, a node of a Cluster. */
export const Machine = {
  group: clusterApiGroup,
  version: "v1beta2",
  kind: "Machine",
  plural: "machines",
  scope: "Namespaced",
} as const satisfies Kind;

/** Fields that a Machine and the template of a MachineDeployment share. */
export interface MachineSpec {
  clusterName: string;
  bootstrap: {
    configRef?: ContractReference | undefined;
    /** The Secret with the bootstrap data; set by Cluster API once the Secret exists. */
    dataSecretName?: string | undefined;
  };
  infrastructureRef: ContractReference;
  /** Version of Kubernetes, with the leading v. */
  version?: string | undefined;
  /** Set from the infrastructure machine. */
  providerID?: string | undefined;
  failureDomain?: string | undefined;
  minReadySeconds?: number | undefined;
  deletion?:
    | {
        nodeDrainTimeoutSeconds?: number | undefined;
        nodeVolumeDetachTimeoutSeconds?: number | undefined;
        nodeDeletionTimeoutSeconds?: number | undefined;
      }
    | undefined;
}

/** One address of a machine. */
export interface MachineAddress {
  type: "Hostname" | "ExternalIP" | "InternalIP" | "ExternalDNS" | "InternalDNS";
  address: string;
}

/** The fields of a Machine that Butler reads or writes. */
export interface Machine extends KubeObject {
  spec: MachineSpec;
  status?:
    | {
        conditions?: Condition[] | undefined;
        initialization?:
          | { infrastructureProvisioned?: boolean | undefined; bootstrapDataSecretCreated?: boolean | undefined }
          | undefined;
        nodeRef?: { name: string } | undefined;
        addresses?: MachineAddress[] | undefined;
        phase?:
          | "Pending"
          | "Provisioning"
          | "Provisioned"
          | "Running"
          | "Updating"
          | "Deleting"
          | "Deleted"
          | "Failed"
          | "Unknown"
          | undefined;
        observedGeneration?: number | undefined;
      }
    | undefined;
}
