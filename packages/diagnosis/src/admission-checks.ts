import { findCondition, keyText } from "@butler/resource";
import { providerKey, sinceMs } from "./facts.ts";
import { because, type Check, stuck } from "./diagnosis.ts";

/** A cluster without status for this long is not being reconciled by any controller. */
const patienceMs = 30_000;

/** A user paused the cluster. */
export const paused: Check = (facts) => {
  const { cluster } = facts;
  if (!cluster.spec.paused || cluster.status?.phase === "Ready") return undefined;
  return stuck(facts, {
    reason: "Paused",
    message: `${cluster.metadata.name} is paused: changes are not applied until spec.paused is false.`,
    remedy: `Set spec.paused to false: kubectl -n ${cluster.metadata.namespace ?? ""} patch tenantcluster ${cluster.metadata.name} --type merge -p '{"spec":{"paused":false}}'`,
    links: [],
  });
};

/** No controller has reported a status for the cluster. */
export const notTakenUp: Check = (facts) => {
  const { cluster } = facts;
  if (cluster.status?.phase !== undefined || (cluster.status?.conditions?.length ?? 0) > 0) return undefined;
  if (sinceMs(facts, cluster.metadata.creationTimestamp) < patienceMs) return undefined;
  return stuck(facts, {
    reason: "NotTakenUp",
    message: `${cluster.metadata.name} was accepted, but no controller has reconciled it yet.`,
    remedy:
      "Ask a platform administrator to check that butler-controller is running: kubectl -n butler-system get pods",
    links: [],
  });
};

interface Gate {
  readonly type: string;
  /** Reasons that occur during every start and resolve without action. */
  readonly isRoutine?: (reason: string) => boolean;
  readonly says: string;
  readonly remedy: string;
}

const isNoFailure = (reason: string): boolean =>
  !/Exhausted|Fail|Denied|Error|Invalid|NotFound|Missing|Conflict/.test(reason);

/** Conditions that must be true before any resource is created, in the order in which they are checked. */
const gates: readonly Gate[] = [
  {
    type: "QuotaSatisfied",
    says: "exceeds its quota",
    remedy: "Delete or scale down another cluster, or ask a platform administrator to raise the limit.",
  },
  {
    type: "ProviderAccessGranted",
    says: "has no access to its provider",
    remedy: "Choose a provider that your team has access to, or ask a platform administrator for access.",
  },
  {
    type: "ImageReady",
    isRoutine: isNoFailure,
    says: "is waiting for its machine image",
    remedy: "Check the ImageSyncs: kubectl -n butler-system get imagesyncs",
  },
  {
    type: "NetworkReady",
    isRoutine: isNoFailure,
    says: "has no IP addresses",
    remedy: "Ask a platform administrator to check the NetworkPools: kubectl -n butler-system get networkpools",
  },
];

/** A condition that must be true before any resource is created is false. */
export const refused: Check = (facts) => {
  const { cluster } = facts;
  for (const { type, says, remedy, isRoutine } of gates) {
    const condition = findCondition(cluster.status?.conditions, type);
    if (condition?.status !== "False" || isRoutine?.(condition.reason) === true) continue;
    return stuck(facts, {
      reason: condition.reason,
      message: `${cluster.metadata.name} ${says}${because(condition.message)}.`,
      remedy,
      links: [[cluster, `${type}=False (${condition.reason})`]],
    });
  }
  return undefined;
};

/** The provider is missing or not ready. */
export const providerNotReady: Check = (facts) => {
  const { cluster, provider, unreadable } = facts;
  const key = providerKey(cluster);
  if (key === undefined || cluster.status?.phase === "Ready") return undefined;
  const { name } = cluster.metadata;
  if (provider === undefined) {
    if (unreadable.some(({ what }) => what === `ProviderConfig ${keyText(key)}`)) return undefined;
    return stuck(facts, {
      reason: "ProviderMissing",
      message: `${name} references ProviderConfig ${keyText(key)}, which does not exist.`,
      remedy:
        "Create the ProviderConfig, or recreate the cluster with an existing one: kubectl -n butler-system get providerconfigs",
      links: [[cluster, `spec.providerConfigRef is ${keyText(key)}`]],
    });
  }
  const wrong = ["CredentialsValid", "PoolAvailable", "Ready"]
    .map((type) => findCondition(provider.status?.conditions, type))
    .find((condition) => condition?.status === "False");
  if (wrong === undefined) return undefined;
  return stuck(facts, {
    reason: wrong.type === "CredentialsValid" ? "CredentialsInvalid" : "ProviderNotReady",
    message: `${name} cannot get machines because its provider ${provider.metadata.name} is not ready${because(wrong.message)}.`,
    remedy: `Ask a platform administrator to fix the provider: kubectl -n ${key.namespace ?? ""} describe providerconfig ${key.name}`,
    links: [[provider, `${wrong.type}=False (${wrong.reason})`]],
  });
};

/** Butler reports what is missing before it can start. */
export const notBegun: Check = (facts) => {
  const { cluster } = facts;
  const lacks = findCondition(cluster.status?.conditions, "InfrastructureReady");
  if (cluster.status?.phase !== "Pending" || lacks?.status !== "False") return undefined;
  return stuck(facts, {
    reason: lacks.reason,
    message: `No resources have been created for ${cluster.metadata.name} yet${because(lacks.message)}.`,
    remedy: "Fix the reported cause; reconciliation then resumes automatically.",
    links: [[cluster, `InfrastructureReady=False (${lacks.reason})`]],
  });
};
