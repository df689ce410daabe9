import { defaultKubernetesVersion, parseKubernetesVersion, upgradeFault } from "@butler/api";
import type { ClusterView } from "../../../parts/cluster-facts.ts";
import type { TeamView } from "../../../session/me.ts";

/** As much of a team as decides about versions. */
export type VersionTeam = Pick<TeamView, "resourceLimits" | "clusterDefaults" | "environments">;

/** A version and why a cluster cannot go to it; it can where there is no reason. */
export interface VersionChoice {
  readonly version: string;
  readonly refusal: string | undefined;
}

/** Versions that are known from somewhere and are newer than what the cluster has, the newest first. */
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

/** Why a cluster cannot go to a version, as a sentence; undefined when nothing is known against it. */
export function versionRefusal({ spec, status }: ClusterView, team: VersionTeam, version: string): string | undefined {
  const running = status?.observedState?.kubernetesVersion;
  // Both count: what runs cannot skip a version, and what was asked for is not taken back on the way.
  const from = [spec.kubernetesVersion, running].filter((known) => known !== undefined);
  const fault = (from.length === 0 ? [version] : from).map((known) => upgradeFault(known, version)).find(Boolean);
  if (fault !== undefined) return `The cluster ${fault}.`;
  if (spec.kubernetesVersion === version) return "The cluster has this version.";
  const allowed = team.resourceLimits?.allowedKubernetesVersions ?? [];
  if (allowed.length > 0 && !allowed.includes(version)) return `The team may use ${allowed.join(", ")}.`;
  return undefined;
}

/** Whether an upgrade is under way. */
export function isUpgrading({ spec, status }: ClusterView): boolean {
  const running = status?.observedState?.kubernetesVersion;
  return running !== undefined && spec.kubernetesVersion !== undefined && running !== spec.kubernetesVersion;
}
