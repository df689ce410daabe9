import { type ButlerConfig, localProviderFault, type ProviderConfig } from "@butler/api";
import { holds, lacks, type Plan } from "@butler/controller";
import { type ConditionStatement, isBeingDeleted } from "@butler/resource";
import { nameSome } from "@butler/std";
import { statusShare } from "../shared/index.ts";
import { type Capacity, capacityOf, type NamedPool } from "./capacity.ts";
import { credentialsCondition } from "./credentials.ts";

/** The input of the plan. */
export interface Observed {
  readonly config: ProviderConfig;
  /** Clusters that use the provider, as namespace/name; read only during deletion. */
  readonly usedBy: readonly string[];
  /** Non-empty keys of the credentials Secret; undefined when the Secret does not exist. */
  readonly credentialKeys: readonly string[] | undefined;
  readonly pools: readonly NamedPool[];
  /** Whether the provider's team exists; true when it is for all teams. */
  readonly hasTeam: boolean;
  /** The settings of the platform. */
  readonly platform: ButlerConfig | undefined;
}

/** Plans a ProviderConfig, which mostly means validation. */
export function plan(observed: Observed, now: Date): Plan {
  const { config, usedBy } = observed;
  if (isBeingDeleted(config)) {
    if (usedBy.length === 0) return { finalizer: "release" };
    const message = `deletion blocked by ${usedBy.length} ${usedBy.length === 1 ? "cluster" : "clusters"}: ${nameSome(usedBy)}`;
    return planWith(observed, now, lacks("Ready", "DeletionBlocked", message));
  }
  return planWith(observed, now);
}

function planWith(observed: Observed, now: Date, deletion?: ConditionStatement): Plan {
  const { config, credentialKeys, pools } = observed;
  const credentials = credentialsCondition(config, credentialKeys);
  const capacity = capacityOf(config, pools);
  const judged = [
    credentials,
    ...scopeFault(observed),
    ...localFault(observed),
    ...(capacity === undefined ? [] : [capacity.condition]),
  ];
  const fault = deletion ?? judged.find(({ status }) => status === "False");
  const validated = isRight(judged);
  const ready =
    fault === undefined
      ? holds("Ready", "Ready", "ready to create clusters")
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

/** Not a separate condition: the fault appears in Ready. */
function scopeFault({ config, hasTeam }: Observed): ConditionStatement[] {
  if (hasTeam) return [];
  const team = config.spec.scope?.teamRef?.name;
  const message =
    team === undefined
      ? "spec.scope.teamRef is required for scope type team"
      : `Team ${team} not found; create it, or correct spec.scope.teamRef`;
  return [lacks("Ready", "ValidationFailed", message)];
}

/** A ProviderConfig that admission would reject today: existing clusters keep it, new ones are rejected. */
function localFault({ config, platform }: Observed): ConditionStatement[] {
  const fault = localProviderFault(config, platform);
  return fault === undefined ? [] : [lacks("Ready", fault.reason, fault.message)];
}

/** Exhausted pools do not make the configuration invalid. */
function isRight(judged: readonly ConditionStatement[]): boolean {
  return judged.every(({ status, reason }) => status !== "False" || reason === "PoolExhausted");
}

/** Changes only when new settings are validated; otherwise each periodic check would be a write. */
function validationTime({ metadata, status }: ProviderConfig, isValid: boolean, now: Date): string | undefined {
  const before = status?.lastValidationTime;
  if (!isValid) return before;
  const isKnown = status?.validated === true && status.observedGeneration === metadata.generation;
  return isKnown && before !== undefined ? before : now.toISOString().replace(/\.\d+Z$/, "Z");
}

function conditionOf(capacity: Capacity | undefined): ConditionStatement[] {
  return capacity === undefined ? [] : [capacity.condition];
}
