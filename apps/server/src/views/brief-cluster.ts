import { annotations, labels, type TenantCluster } from "@butler/api";
import type { BriefCluster } from "@butler/contract";

const shownLabels: readonly string[] = [labels.environment];
const shownAnnotations: readonly string[] = [annotations.owner, annotations.creatorEmail];

/** What lists show of a cluster. */
export function briefCluster({ metadata, spec, status }: TenantCluster): BriefCluster {
  const { name, namespace, creationTimestamp, deletionTimestamp } = metadata;
  const { kubernetesVersion, paused, teamRef, providerConfigRef, workers, workerPools } = spec;
  return {
    metadata: {
      name,
      namespace,
      creationTimestamp,
      deletionTimestamp,
      labels: only(metadata.labels, shownLabels),
      annotations: only(metadata.annotations, shownAnnotations),
    },
    spec: {
      kubernetesVersion,
      paused,
      teamRef,
      providerConfigRef,
      workers: { replicas: workers.replicas },
      workerPools: workerPools?.map(({ name: pool, replicas }) => ({ name: pool, replicas })),
    },
    ...(status && { status: briefStatus(status) }),
  };
}

function briefStatus(status: NonNullable<TenantCluster["status"]>): BriefCluster["status"] {
  const { phase, lastTransitionTime, workerNodesReady, workerNodesDesired, conditions, observedState } = status;
  return {
    phase,
    lastTransitionTime,
    workerNodesReady,
    workerNodesDesired,
    conditions: conditions
      ?.filter(({ type }) => type === "Ready")
      .map(({ type, status: isSo, message }) => ({ type, status: isSo, message: isSo === "True" ? "" : message })),
    observedState: observedState && { kubernetesVersion: observedState.kubernetesVersion },
  };
}

/** Keeps only the wanted entries of a map, such as labels. */
function only(words: Readonly<Record<string, string>> = {}, wanted: readonly string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(words).filter(([name]) => wanted.includes(name)));
}
