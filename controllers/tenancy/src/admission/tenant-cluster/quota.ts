import {
  type Claim,
  growthOf,
  isSameEmail,
  isSomeUsage,
  judgeQuota,
  limitsOf,
  noUsage,
  type QuotaInput,
  type Refusal,
  usageOf,
} from "@butler/access";
import { providerKeyOf, type TenantCluster } from "@butler/api";
import type { Denial } from "@butler/kube";
import { keyText } from "@butler/resource";
import { denied } from "../denials.ts";
import { environmentOf } from "./environment.ts";
import { ownerOf } from "./identity.ts";
import type { TenantClusterFacts, TenantClusterInput } from "./input.ts";

/** A cluster as quota sees it. */
export function claimOf(cluster: TenantCluster, facts: Pick<TenantClusterFacts, "team" | "config">): Claim {
  const provider = providerKeyOf(cluster, facts);
  return {
    usage: usageOf(cluster),
    environment: environmentOf(cluster),
    owner: ownerOf(cluster),
    provider: provider && keyText(provider),
  };
}

/** Whether a request takes up more than is taken up now, or takes it up in another place; nothing else concerns quota. */
export function isGrowing({ cluster, before, facts }: TenantClusterInput): boolean {
  const after = claimOf(cluster, facts);
  const was = before && claimOf(before, facts);
  const hasMoved = was?.environment !== after.environment || !isSameEmail(was?.owner ?? "", after.owner ?? "");
  return isSomeUsage(growthOf(was?.usage ?? noUsage, after.usage)) || (hasMoved && after.environment !== undefined);
}

/** Every limit that a request would go beyond. */
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

/** Refusals as people read them. */
export function quotaDenials(refusals: readonly Refusal[]): Denial[] {
  return refusals.flatMap(({ rule, message }) => denied("QUOTA", fieldOf[rule] ?? "", message));
}

/** A team that is gone has no limits any more, which must not mean that it has no limit. */
export function orphanDenials({ cluster, facts }: TenantClusterInput): Denial[] {
  const name = cluster.spec.teamRef?.name;
  if (name === undefined || facts.team !== undefined) return [];
  return denied("NOT_FOUND", "spec.teamRef.name", `there is no Team ${name}, so nothing can be added to its cluster`);
}
