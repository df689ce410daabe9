import type { Tone } from "@butler/ui";
import { type ClusterView, phaseOf } from "../../../parts/cluster-facts.ts";

/** How the control plane of a cluster is, by the cluster's own condition. */
export function controlPlaneState(cluster: ClusterView): {
  readonly tone: Tone;
  readonly word: string;
  readonly why: string;
} {
  const condition = cluster.status?.conditions?.find(({ type }) => type === "ControlPlaneReady");
  const why = condition?.message ?? "";
  if (condition?.status === "True") return { tone: "ready", word: "Answers", why };
  if (condition?.status === "False") {
    const isNew = phaseOf(cluster) === "Pending" || phaseOf(cluster) === "Provisioning";
    return isNew ? { tone: "working", word: "Starting", why } : { tone: "failed", word: "Does not answer", why };
  }
  return { tone: "unknown", word: "Not known", why };
}

/** Where the state of a cluster is kept, as the cluster asks for it. */
export function datastoreOf({ spec }: ClusterView): string {
  return spec.controlPlane.dataStoreRef?.name ?? "default";
}
