import { clusterState, labels, type TenantCluster } from "@butler/api";
import { ageOf } from "@butler/cli-kit";
import { keyText } from "@butler/resource";
import { workersText } from "@butler/diagnosis";
import { clusterDetails } from "./cluster-details.ts";
import { clusterOffers } from "./cluster-offers.ts";
import { defineTab } from "./tab.ts";
import { stateText, toneOrder } from "./tones.ts";

/** The running version, and during an upgrade also the target version. */
export function versionText({ spec, status }: TenantCluster): string {
  const running = status?.observedState?.kubernetesVersion;
  const wanted = spec.kubernetesVersion;
  if (running === undefined || wanted === undefined || running === wanted) return running ?? wanted ?? "";
  return `${running}→${wanted}`;
}

/** The team that a cluster belongs to. */
export function teamOf({ metadata, spec }: TenantCluster): string {
  return spec.teamRef?.name ?? metadata.namespace ?? "";
}

/** Every cluster. */
export const clusters = defineTab<TenantCluster>({
  id: "clusters",
  title: "Clusters",
  sources: ["clusters"],
  items: (snapshot) => snapshot.clusters,
  keyOf: ({ metadata }) => keyText(metadata),
  columns: [
    { title: "NAME", value: ({ metadata }) => metadata.name, widest: 40 },
    { title: "TEAM", value: teamOf, widest: 24 },
    {
      title: "STATE",
      value: (cluster) => stateText(clusterState(cluster)),
      look: (cluster) => clusterState(cluster).tone,
      sortBy: (cluster) => toneOrder.indexOf(clusterState(cluster).tone),
    },
    { title: "VERSION", value: versionText },
    {
      title: "WORKERS",
      value: workersText,
      align: "right",
      sortBy: ({ status }) => status?.workerNodesReady ?? 0,
      look: ({ status }) =>
        (status?.workerNodesReady ?? 0) < (status?.workerNodesDesired ?? 0) ? "attention" : undefined,
    },
    {
      title: "AGE",
      value: ({ metadata }, now) => ageOf(metadata.creationTimestamp, now),
      sortBy: ({ metadata }) => -Date.parse(metadata.creationTimestamp ?? ""),
      align: "right",
    },
    { title: "ENV", value: ({ metadata }) => metadata.labels?.[labels.environment] ?? "-", drop: 1, widest: 16 },
    { title: "PROVIDER", value: ({ spec }) => spec.providerConfigRef?.name ?? "-", drop: 4, widest: 20 },
    { title: "ENDPOINT", value: ({ status }) => status?.controlPlaneEndpoint ?? "-", drop: 3, widest: 32 },
    { title: "NAMESPACE", value: ({ metadata }) => metadata.namespace ?? "", drop: 5, isFilling: true },
  ],
  sort: { column: 0, isDescending: false },
  empty: {
    sentence: "No clusters yet.",
    hint: "Create one: butlerctl cluster create NAME --team TEAM",
  },
  details: clusterDetails,
  offers: clusterOffers,
});
