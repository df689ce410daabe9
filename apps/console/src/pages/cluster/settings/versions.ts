import { defaultKubernetesVersion, parseKubernetesVersion } from "@butler/api";
import type { ClusterView } from "../../../parts/cluster-facts.ts";
import type { TeamView } from "../../../session/me.ts";
import { upgrading } from "./decisions.ts";

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
    .map((version) => ({ version, refusal: upgrading(cluster, team, version).refusal }));
}

function newestFirst(left: string, right: string): number {
  const [a, b] = [parseKubernetesVersion(left), parseKubernetesVersion(right)];
  if (a === undefined || b === undefined) return 0;
  return b.major - a.major || b.minor - a.minor || b.patch - a.patch;
}

/** Whether an upgrade is in progress. */
export function isUpgrading({ spec, status }: ClusterView): boolean {
  const running = status?.observedState?.kubernetesVersion;
  return running !== undefined && spec.kubernetesVersion !== undefined && running !== spec.kubernetesVersion;
}
