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

/** A Cluster, as far as Butler states or reads it. */
export interface Cluster extends KubeObject {
  spec?:
    | {
        /** True while all providers are to leave the cluster's objects alone. */
        paused?: boolean | undefined;
        clusterNetwork?:
          | {
              apiServerPort?: number | undefined;
              services?: AddressRanges | undefined;
              pods?: AddressRanges | undefined;
              serviceDomain?: string | undefined;
            }
          | undefined;
        /** Comes from the infrastructure or the control-plane provider when nobody states it. */
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
