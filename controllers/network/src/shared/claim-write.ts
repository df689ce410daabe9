import type { IPAllocation } from "@butler/api";
import { blocked, type Blocker, type ConditionStatement, findCondition, mergeConditions } from "@butler/resource";
import { deepEqual } from "@butler/std";
import type { StatusWrite } from "./status-writer.ts";

type ClaimStatus = NonNullable<IPAllocation["status"]>;

/** Desired status of a claim. */
export interface ClaimStatement {
  readonly status: { readonly [Field in keyof ClaimStatus]?: ClaimStatus[Field] | null };
  readonly conditions: readonly ConditionStatement[];
  /** Types of conditions to remove. */
  readonly dropped?: readonly string[];
}

/** The conditional write of a claim's status. */
export function claimWrite(
  claim: IPAllocation,
  { status, conditions, dropped = [] }: ClaimStatement,
  now: Date,
): StatusWrite {
  const { name, namespace, resourceVersion = "", generation } = claim.metadata;
  const current = (claim.status?.conditions ?? []).filter(({ type }) => !dropped.includes(type));
  return {
    name,
    namespace,
    resourceVersion,
    status: {
      ...status,
      observedGeneration: generation,
      conditions: mergeConditions({ current, stated: conditions, generation, now }),
    },
  };
}

/** Why a claim has no addresses. */
export interface ClaimBlocker extends Blocker {
  /** `Pending` is served as soon as possible; `Failed` requires a change. Both are retried. */
  readonly phase: "Pending" | "Failed";
}

/** The write that reports why a claim has no addresses; undefined if the claim already reports it. */
export function blockerWrite(claim: IPAllocation, blocker: ClaimBlocker, now: Date): StatusWrite | undefined {
  const { phase } = blocker;
  const stated = blocked("Ready", blocker);
  const { status, reason, message } = findCondition(claim.status?.conditions, "Ready") ?? {};
  const isSaid = claim.status?.phase === phase && deepEqual({ type: "Ready", status, reason, message }, stated);
  return isSaid ? undefined : claimWrite(claim, { status: { phase }, conditions: [stated] }, now);
}
