import { annotations, labels, type TenantCluster } from "@butler/api";
import { denied } from "@butler/controller";
import type { Denial } from "@butler/kube";
import type { TenantClusterFacts, TenantClusterInput } from "./input.ts";

const path = `metadata.labels[${labels.environment}]`;

/** The environment that a cluster is in. */
export function environmentOf({ metadata }: Pick<TenantCluster, "metadata">): string | undefined {
  return metadata.labels?.[labels.environment];
}

/**
 * A cluster of a team with environments is in one of them and stays there. Clusters that predate the rule, or whose
 * environment was removed, may stay as they are.
 */
export function environmentDenials({ cluster, before, requester, facts }: TenantClusterInput): Denial[] {
  const is = environmentOf(cluster);
  if (before === undefined) return choiceDenials(is, facts);
  const was = environmentOf(before);
  if (was === is) return [];
  if (cluster.metadata.annotations?.[annotations.migrationOperation] !== "true") {
    const from = was ?? "not set";
    const message = `is ${from} and cannot be changed; annotate ${annotations.migrationOperation}=true to move the cluster`;
    return denied("IMMUTABLE", path, message);
  }
  // Platform administrators can undo a migration, also for clusters that were in no environment before it.
  const mayTakeOut = requester.isTrusted || requester.isPlatformAdmin === true;
  return is === undefined && mayTakeOut ? [] : choiceDenials(is, facts);
}

/** Whether a change removes a cluster from its environment, which requires permission. */
export function isTakenOut(cluster: TenantCluster, before: TenantCluster | undefined): boolean {
  return before !== undefined && environmentOf(before) !== undefined && environmentOf(cluster) === undefined;
}

function choiceDenials(environment: string | undefined, { team }: Pick<TenantClusterFacts, "team">): Denial[] {
  const names = (team?.spec.environments ?? []).map(({ name }) => name);
  if (team === undefined || names.length === 0 || names.includes(environment ?? "")) return [];
  const choice = `choose an environment in team ${team.metadata.name}: ${names.join(", ")}`;
  if (environment === undefined) return denied("REQUIRED", path, `is required; ${choice}`);
  return denied("NOT_FOUND", path, `environment ${environment} not found; ${choice}`);
}
