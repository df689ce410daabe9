import {
  type Claim,
  controlPlaneUsageOf,
  growthOf,
  isSameEmail,
  isSomeUsage,
  judgeQuota,
  limitsOf,
  noUsage,
  type QuotaInput,
  type Refusal,
  usageOf,
  workerUsageOf,
} from "@butler/access";
import { providerKeyOf, type TenantCluster } from "@butler/api";
import { denied } from "@butler/controller";
import type { Denial } from "@butler/kube";
import { keyText } from "@butler/resource";
import { environmentOf } from "./environment.ts";
import { ownerOf } from "./identity.ts";
import type { TenantClusterFacts, TenantClusterInput } from "./input.ts";

/** A cluster's claim on quota. */
export function claimOf(cluster: TenantCluster, facts: Pick<TenantClusterFacts, "team" | "config">): Claim {
  const provider = providerKeyOf(cluster, facts);
  return {
    usage: usageOf(cluster, facts.config),
    environment: environmentOf(cluster),
    owner: ownerOf(cluster),
    provider: provider && keyText(provider),
  };
}

/**
 * Whether a request increases usage, or moves it to another environment or owner; other changes do not affect quota.
 */
export function isGrowing({ cluster, before, facts }: TenantClusterInput): boolean {
  const after = claimOf(cluster, facts);
  const was = before && claimOf(before, facts);
  const hasMoved = was?.environment !== after.environment || !isSameEmail(was?.owner ?? "", after.owner ?? "");
  return isSomeUsage(growthOf(was?.usage ?? noUsage, after.usage)) || (hasMoved && after.environment !== undefined);
}

/** Every limit that a request would exceed. */
export function quotaRefusals(
  { cluster, before, facts }: TenantClusterInput,
  others: readonly Claim[],
): readonly Refusal[] {
  const { team, config, provider } = facts;
  const after = claimOf(cluster, facts);
  const environment = team?.spec.environments?.find(({ name }) => name === after.environment);
  const input: QuotaInput = {
    team: team?.metadata.name ?? "(none)",
    limits: team === undefined ? {} : limitsOf(team, config),
    environmentLimits: environment?.limits,
    providerLimits: provider?.spec.limits ?? {},
    others,
    before: before && claimOf(before, facts),
    after,
  };
  return judgeQuota(input);
}

const fieldOf: Readonly<Record<string, string>> = {
  "team.maxCPUCores": "spec.workers",
  "team.maxMemory": "spec.workers",
  "team.maxNodesPerCluster": "spec.workers",
  "team.maxStorage": "spec.workers",
  "team.maxTotalNodes": "spec.workers",
  "provider.maxNodesPerTeam": "spec.workers",
};

const measuredBy: Readonly<Record<string, "cpuMilli" | "memoryBytes">> = {
  "team.maxCPUCores": "cpuMilli",
  "team.maxMemory": "memoryBytes",
};

/** Quota refusals as denials, at the part of the cluster that asks for more. */
export function quotaDenials(refusals: readonly Refusal[], input: TenantClusterInput): Denial[] {
  return refusals.flatMap(({ rule, message }) => {
    const path = isOfControlPlane(rule, input) ? "spec.controlPlane" : (fieldOf[rule] ?? "");
    return denied("QUOTA", path, message);
  });
}

function isOfControlPlane(rule: string, { cluster, before, facts: { config } }: TenantClusterInput): boolean {
  const resource = measuredBy[rule];
  if (resource === undefined) return false;
  const workers = growthOf(before === undefined ? noUsage : workerUsageOf(before), workerUsageOf(cluster));
  const earlier = before === undefined ? noUsage : controlPlaneUsageOf(before, config);
  return growthOf(earlier, controlPlaneUsageOf(cluster, config))[resource] > workers[resource];
}

/** A deleted team has no limits to check, which must not mean unlimited quota. */
export function orphanDenials({ cluster, facts }: TenantClusterInput): Denial[] {
  const name = cluster.spec.teamRef?.name;
  if (name === undefined || facts.team !== undefined) return [];
  return denied("NOT_FOUND", "spec.teamRef.name", `Team ${name} not found; its cluster cannot request more resources`);
}
