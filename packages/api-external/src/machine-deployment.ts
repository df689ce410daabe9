import type { Condition, Kind, KubeObject } from "@butler/resource";
import { clusterApiGroup } from "./cluster-api-names.ts";
import type { MachineSpec } from "./machine.ts";

/** A set of identical Machines that is rolled out when its template changes. */
export const MachineDeployment = {
  group: clusterApiGroup,
  version: "v1beta2",
  kind: "MachineDeployment",
  plural: "machinedeployments",
  scope: "Namespaced",
} as const satisfies Kind;

/** The fields of a MachineDeployment that Butler reads or writes. */
export interface MachineDeployment extends KubeObject {
  spec: {
    clusterName: string;
    replicas?: number | undefined;
    /** May be empty: Cluster API adds labels of its own to selector and template. */
    selector: { matchLabels?: Record<string, string> | undefined };
    template: {
      metadata?:
        { labels?: Record<string, string> | undefined; annotations?: Record<string, string> | undefined } | undefined;
      spec: MachineSpec;
    };
    rollout?:
      | {
          strategy?:
            | {
                type: "RollingUpdate" | "OnDelete";
                rollingUpdate?:
                  { maxSurge?: number | string | undefined; maxUnavailable?: number | string | undefined } | undefined;
              }
            | undefined;
        }
      | undefined;
    deletion?: { order?: "Random" | "Newest" | "Oldest" | undefined } | undefined;
    paused?: boolean | undefined;
  };
  status?:
    | {
        conditions?: Condition[] | undefined;
        replicas?: number | undefined;
        readyReplicas?: number | undefined;
        availableReplicas?: number | undefined;
        upToDateReplicas?: number | undefined;
        phase?: "ScalingUp" | "ScalingDown" | "Running" | "Failed" | "Unknown" | undefined;
        observedGeneration?: number | undefined;
      }
    | undefined;
}
