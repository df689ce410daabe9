import { defaultKubernetesVersion, parseKubernetesVersion, upgradeFault } from "@butler/api";
import type { ClusterView } from "../../../parts/cluster-facts.ts";
import type { TeamView } from "../../../session/me.ts";

/** The part of a team that restricts versions. */
export type VersionTeam = Pick<TeamView, "resourceLimits" | "clusterDefaults" | "environments">;

/** A version, and why the cluster cannot be upgraded to it, if so. */
export interface VersionChoice {
  readonly version: string;
  readonly refusal: string | undefined;
}

/** Known versions newer than that of the cluster, newest first. */
export function versionChoices(
  cluster: ClusterView,
  team: VersionTeam,
  others: readonly ClusterView[],
): readonly VersionChoice[] {
  const named = [
    defaultKubernetesVersion,
    ...(team.resourceLimits?.allowedKubernetesVersions ?? []),
    team.clusterDefaults?.kubernetesVersion,
    ...team.environments.map(({ clusterDefaults }) => clusterDefaults?.kubernetesVersion),
    ...others.map(({ spec }) => spec.kubernetesVersion),
  ].flatMap((text = "") => parseKubernetesVersion(text)?.text ?? []);
  return [...new Set(named)]
    .filter((version) => newestFirst(version, cluster.spec.kubernetesVersion ?? "v0.0.0") < 0)
    .sort(newestFirst)
    .map((version) => ({ version, refusal: versionRefusal(cluster, team, version) }));
}

function newestFirst(left: string, right: string): number {
  const [a, b] = [parseKubernetesVersion(left), parseKubernetesVersion(right)];
  if (a === undefined || b === undefined) return 0;
  return b.major - a.major || b.minor - a.minor || b.patch - a.patch;
}

/** Why a cluster cannot be upgraded to a version; undefined if it can, as far as known. */
export function versionRefusal({ spec, status }: ClusterView, team: VersionTeam, version: string): string | undefined {
  const running = status?.observedState?.kubernetesVersion;
  // Checks both: the running version cannot skip a minor version, and a requested upgrade cannot be reverted midway.
  const from = [spec.kubernetesVersion, running].filter((known) => known !== undefined);
  const fault = (from.length === 0 ? [version] : from).map((known) => upgradeFault(known, version)).find(Boolean);
  if (fault !== undefined) return `The cluster ${fault}.`;
  if (spec.kubernetesVersion === version) return "The cluster is already set to this version.";
  const allowed = team.resourceLimits?.allowedKubernetesVersions ?? [];
  if (allowed.length > 0 && !allowed.includes(version)) return `The team can only use ${allowed.join(", ")}.`;
  return undefined;
}

/** Whether an upgrade is in progress. */
export function isUpgrading({ spec, status }: ClusterView): boolean {
  const running = status?.observedState?.kubernetesVersion;
  return running !== undefined && spec.kubernetesVersion !== undefined && running !== spec.kubernetesVersion;
}
