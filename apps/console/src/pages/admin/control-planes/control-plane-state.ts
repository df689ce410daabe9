import type { Tone } from "@butler/ui";
import { type ClusterView, phaseOf } from "../../../parts/cluster-facts.ts";

/** State of a control plane, from the ControlPlaneReady condition of the cluster. */
export function controlPlaneState(cluster: ClusterView): {
  readonly tone: Tone;
  readonly word: string;
  readonly why: string;
} {
  const condition = cluster.status?.conditions?.find(({ type }) => type === "ControlPlaneReady");
  const why = condition?.message ?? "";
  if (condition?.status === "True") return { tone: "ready", word: "Ready", why };
  if (condition?.status === "False") {
    const isNew = phaseOf(cluster) === "Pending" || phaseOf(cluster) === "Provisioning";
    return isNew ? { tone: "working", word: "Starting", why } : { tone: "failed", word: "Not ready", why };
  }
  return { tone: "unknown", word: "Unknown", why };
}

/** The DataStore that the cluster refers to. */
export function datastoreOf({ spec }: ClusterView): string {
  return spec.controlPlane.dataStoreRef?.name ?? "default";
}
