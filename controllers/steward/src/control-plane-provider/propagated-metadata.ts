import type { StewardControlPlane } from "@butler/api";
import { clusterNameLabel } from "@butler/api-external";
import type { ObjectMeta } from "@butler/resource";

/**
 * Prefixes of labels and annotations that refer to the object that carries them. A tool that finds its mark on a second
 * object treats it as its own, and may prune it.
 */
const personalPrefixes = [
  "app.kubernetes.io/",
  "applied.butler.butlerlabs.dev/",
  "argocd.argoproj.io/",
  "cluster.x-k8s.io/",
  "clusterctl.cluster.x-k8s.io/",
  "helm.sh/",
  "helm.toolkit.fluxcd.io/",
  "kubectl.kubernetes.io/",
  "kustomize.toolkit.fluxcd.io/",
  "meta.helm.sh/",
  "topology.cluster.x-k8s.io/",
] as const;

/** Labels and annotations that a TenantControlPlane inherits from its StewardControlPlane. */
export function propagatedMetadata(
  { metadata }: StewardControlPlane,
  clusterName: string,
): Pick<ObjectMeta, "labels" | "annotations"> {
  const annotations = withoutPersonal(metadata.annotations);
  return {
    labels: { ...withoutPersonal(metadata.labels), [clusterNameLabel]: clusterName },
    ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
  };
}

function withoutPersonal(marks: Record<string, string> = {}): Record<string, string> {
  const kept = Object.entries(marks).filter(([key]) => !personalPrefixes.some((prefix) => key.startsWith(prefix)));
  return Object.fromEntries(kept);
}
