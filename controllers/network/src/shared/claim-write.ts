import type { IPAllocation } from "@butler/api";
import { type ConditionStatement, findCondition, mergeConditions } from "@butler/resource";
import { lacks } from "@butler/controller";
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
export interface Refusal {
  /** `Pending` is served as soon as possible; `Failed` requires a change. Both are retried. */
  readonly phase: "Pending" | "Failed";
  readonly reason: string;
  readonly message: string;
}

/** The write that reports why a claim has no addresses; undefined if the claim already reports it. */
export function refusalWrite(
  claim: IPAllocation,
  { phase, reason, message }: Refusal,
  now: Date,
): StatusWrite | undefined {
  const stated = lacks("Ready", reason, message);
  const current = findCondition(claim.status?.conditions, "Ready");
  const isSaid =
    claim.status?.phase === phase &&
    current?.status === stated.status &&
    current.reason === reason &&
    current.message === message;
  return isSaid ? undefined : claimWrite(claim, { status: { phase }, conditions: [stated] }, now);
}
