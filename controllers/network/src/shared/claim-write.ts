import type { IPAllocation } from "@butler/api";
import { type ConditionStatement, findCondition, mergeConditions } from "@butler/resource";
import { lacks } from "@butler/controller";
import type { StatusWrite } from "./status-writer.ts";

type ClaimStatus = NonNullable<IPAllocation["status"]>;

/** What a claim is to say of itself. */
export interface ClaimStatement {
  readonly status: { readonly [Field in keyof ClaimStatus]?: ClaimStatus[Field] | null };
  readonly conditions: readonly ConditionStatement[];
  /** Types of conditions that no longer hold and go. */
  readonly dropped?: readonly string[];
}

/** The write that makes a claim say so, if nobody has changed it since it was read. */
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
  /** `Pending` is served as soon as it can be; `Failed` asks for a change by somebody. Both are looked at again. */
  readonly phase: "Pending" | "Failed";
  readonly reason: string;
  readonly message: string;
}

/** The write that tells a claim why it has no addresses; undefined when it says so already. */
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
