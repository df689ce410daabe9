import type { Condition, Kind, KubeObject } from "@butler/resource";
import { clusterApiGroup } from "./cluster-api-names.ts";
import type { ApiEndpoint, ContractReference } from "./contract-reference.ts";

/** A Kubernetes cluster as Cluster API sees it. */
export const Cluster = {
  group: clusterApiGroup,
  version: "v1beta2",
  kind: "Cluster",
  plural: "clusters",
  scope: "Namespaced",
} as const satisfies Kind;

interface AddressRanges {
  cidrBlocks: string[];
}

/** The fields of a Cluster that Butler reads or writes. */
export interface Cluster extends KubeObject {
  spec?:
    | {
        /** True while reconciliation of the cluster's objects is paused. */
        paused?: boolean | undefined;
        clusterNetwork?:
          | {
              apiServerPort?: number | undefined;
              services?: AddressRanges | undefined;
              pods?: AddressRanges | undefined;
              serviceDomain?: string | undefined;
            }
          | undefined;
        /** Set by the infrastructure or control plane provider if unset. */
        controlPlaneEndpoint?: Partial<ApiEndpoint> | undefined;
        controlPlaneRef?: ContractReference | undefined;
        infrastructureRef?: ContractReference | undefined;
      }
    | undefined;
  status?:
    | {
        conditions?: Condition[] | undefined;
        initialization?:
          | { infrastructureProvisioned?: boolean | undefined; controlPlaneInitialized?: boolean | undefined }
          | undefined;
        phase?: "Pending" | "Provisioning" | "Provisioned" | "Deleting" | "Failed" | "Unknown" | undefined;
        observedGeneration?: number | undefined;
      }
    | undefined;
}
