import { clusterPhase, labels, type TenantCluster } from "@butler/api";
import { ageOf, type Column, type ObjectView, type Style } from "@butler/cli-kit";
import { workersText } from "@butler/diagnosis";

const phaseStyles: Readonly<Record<string, Style>> = {
  Ready: "good",
  Provisioning: "busy",
  Installing: "busy",
  Updating: "busy",
  Failed: "bad",
  Pending: "faint",
  Deleting: "leaving",
};

/** The color of a phase. */
export function phaseStyle(phase: string): Style | undefined {
  return phaseStyles[phase];
}

/** The running version; during an upgrade, both versions. */
export function versionText({ spec, status }: TenantCluster): string {
  const running = status?.observedState?.kubernetesVersion;
  const wanted = spec.kubernetesVersion ?? "";
  if (running === undefined || running === wanted) return wanted;
  return wanted === "" ? running : `${running} -> ${wanted}`;
}

/** The environment of its team that a cluster is in. */
export function environmentOf({ metadata }: TenantCluster): string {
  return metadata.labels?.[labels.environment] ?? "";
}

/** How clusters are shown in lists. */
export function clusterView(now: () => Date, { hasNamespace }: { hasNamespace: boolean }): ObjectView<TenantCluster> {
  const namespace: Column<TenantCluster> = { title: "NAMESPACE", value: ({ metadata }) => metadata.namespace ?? "" };
  return {
    nameOf: ({ metadata }) => `tenantcluster.butler.butlerlabs.dev/${metadata.name}`,
    columns: [
      ...(hasNamespace ? [namespace] : []),
      { title: "NAME", value: ({ metadata }) => metadata.name },
      { title: "PHASE", value: clusterPhase, style: (cluster) => phaseStyle(clusterPhase(cluster)) },
      { title: "K8S VERSION", value: versionText },
      { title: "WORKERS", value: workersText },
      { title: "AGE", value: ({ metadata }) => ageOf(metadata.creationTimestamp, now()) },
      { title: "ENV", value: (cluster) => environmentOf(cluster) || "-", isWide: true },
      { title: "TEAM", value: ({ spec }) => spec.teamRef?.name ?? "-", isWide: true },
      { title: "PROVIDER", value: ({ spec }) => spec.providerConfigRef?.name ?? "-", isWide: true },
      { title: "ENDPOINT", value: ({ status }) => status?.controlPlaneEndpoint ?? "-", isWide: true },
    ],
  };
}
