import type { ProviderConfig } from "@butler/api";
import { holds, lacks, type Plan } from "@butler/controller";
import { type ConditionStatement, isBeingDeleted } from "@butler/resource";
import { nameSome } from "@butler/std";
import { statusShare } from "../shared/index.ts";
import { type Capacity, capacityOf, type NamedPool } from "./capacity.ts";
import { credentialsCondition } from "./credentials.ts";

/** Everything the decision is made from. */
export interface Observed {
  readonly config: ProviderConfig;
  /** Clusters whose machines come from here, as namespace/name; looked up only when it is to be deleted. */
  readonly usedBy: readonly string[];
  /** Keys of the credentials Secret that have content; undefined when there is no Secret. */
  readonly credentialKeys: readonly string[] | undefined;
  readonly pools: readonly NamedPool[];
  /** Whether the team exists that the provider is for; true when it is for all. */
  readonly hasTeam: boolean;
}

/** Decides what a ProviderConfig needs now, which is mostly to be judged. */
export function plan(observed: Observed, now: Date): Plan {
  const { config, usedBy } = observed;
  if (isBeingDeleted(config)) {
    if (usedBy.length === 0) return { finalizer: "release" };
    const message = `deleted once no cluster uses it any more; there are ${usedBy.length}: ${nameSome(usedBy)}`;
    return planWith(observed, now, lacks("Ready", "DeletionBlocked", message));
  }
  return planWith(observed, now);
}

function planWith(observed: Observed, now: Date, obstacle?: ConditionStatement): Plan {
  const { config, credentialKeys, pools } = observed;
  const credentials = credentialsCondition(config, credentialKeys);
  const capacity = capacityOf(config, pools);
  const judged = [credentials, ...scopeFault(observed), ...(capacity === undefined ? [] : [capacity.condition])];
  const fault = obstacle ?? judged.find(({ status }) => status === "False");
  const validated = isRight(judged);
  const ready =
    fault === undefined
      ? holds("Ready", "Ready", "clusters can be made with it")
      : lacks("Ready", fault.reason, fault.message);
  return {
    finalizer: "hold",
    ...statusShare(config, {
      fields: {
        validated,
        ready: fault === undefined,
        lastValidationTime: validationTime(config, validated, now),
        capacity: capacity?.capacity,
      },
      conditions: [ready, credentials, ...conditionOf(capacity)],
      conditionTypes: ["Ready", "CredentialsValid", "PoolAvailable"],
    }),
    events: fault === undefined ? [] : [{ type: "Warning", reason: fault.reason, message: fault.message }],
  };
}

/** Not a condition of its own: the fault shows in Ready. */
function scopeFault({ config, hasTeam }: Observed): ConditionStatement[] {
  if (hasTeam) return [];
  const team = config.spec.scope?.teamRef?.name;
  const message =
    team === undefined
      ? "scope type team needs the name of a team in spec.scope.teamRef"
      : `there is no Team ${team}; create it, or correct spec.scope.teamRef`;
  return [lacks("Ready", "ValidationFailed", message)];
}

/** Pools that have run dry do not make the configuration wrong. */
function isRight(judged: readonly ConditionStatement[]): boolean {
  return judged.every(({ status, reason }) => status !== "False" || reason === "PoolExhausted");
}

/** It moves only when something new was found right, or looking again would be a write each time. */
function validationTime({ metadata, status }: ProviderConfig, isValid: boolean, now: Date): string | undefined {
  const before = status?.lastValidationTime;
  if (!isValid) return before;
  const isKnown = status?.validated === true && status.observedGeneration === metadata.generation;
  return isKnown && before !== undefined ? before : now.toISOString().replace(/\.\d+Z$/, "Z");
}

function conditionOf(capacity: Capacity | undefined): ConditionStatement[] {
  return capacity === undefined ? [] : [capacity.condition];
}
