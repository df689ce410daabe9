import { findCondition, keyText } from "@butler/resource";
import { providerKey, sinceMs } from "./facts.ts";
import { because, type Check, stuck } from "./finding.ts";

/** A cluster that nobody looks at for so long is one that no controller looks after. */
const patienceMs = 30_000;

/** Somebody has put the cluster on hold. */
export const paused: Check = (facts) => {
  const { cluster } = facts;
  if (!cluster.spec.paused || cluster.status?.phase === "Ready") return undefined;
  return stuck(facts, {
    cause: "Paused",
    sentence: `${cluster.metadata.name} is paused, so nothing is done for it.`,
    nextStep: `Set spec.paused to false: kubectl -n ${cluster.metadata.namespace ?? ""} patch tenantcluster ${cluster.metadata.name} --type merge -p '{"spec":{"paused":false}}'`,
    links: [],
  });
};

/** No controller has said anything about the cluster. */
export const notTakenUp: Check = (facts) => {
  const { cluster } = facts;
  if (cluster.status?.phase !== undefined || (cluster.status?.conditions?.length ?? 0) > 0) return undefined;
  if (sinceMs(facts, cluster.metadata.creationTimestamp) < patienceMs) return undefined;
  return stuck(facts, {
    cause: "NotTakenUp",
    sentence: `${cluster.metadata.name} was accepted, but no controller has taken it up.`,
    nextStep: "Ask an operator whether butler-controller runs: kubectl -n butler-system get pods",
    links: [],
  });
};

interface Gate {
  readonly type: string;
  /** Reasons that are part of every start, and pass. */
  readonly isRoutine?: (reason: string) => boolean;
  readonly says: string;
  readonly nextStep: string;
}

const isNoFailure = (reason: string): boolean =>
  !/Exhausted|Fail|Denied|Error|Invalid|NotFound|Missing|Conflict/.test(reason);

/** Conditions that must hold before anything is made, in the order in which they are looked at. */
const gates: readonly Gate[] = [
  {
    type: "QuotaSatisfied",
    says: "is over a limit",
    nextStep: "Remove or shrink another cluster, or ask a platform administrator to raise the limit.",
  },
  {
    type: "ProviderAccessGranted",
    says: "may not use its provider",
    nextStep: "Choose a provider that your team may use, or ask a platform administrator for access.",
  },
  {
    type: "ImageReady",
    isRoutine: isNoFailure,
    says: "waits for the image of its machines",
    nextStep: "Look at the ImageSync: kubectl -n butler-system get imagesyncs",
  },
  {
    type: "NetworkReady",
    isRoutine: isNoFailure,
    says: "has no addresses",
    nextStep: "Ask an operator to look at the NetworkPools: kubectl -n butler-system get networkpools",
  },
];

/** A condition that must hold before anything is made does not. */
export const refused: Check = (facts) => {
  const { cluster } = facts;
  for (const { type, says, nextStep, isRoutine } of gates) {
    const condition = findCondition(cluster.status?.conditions, type);
    if (condition?.status !== "False" || isRoutine?.(condition.reason) === true) continue;
    return stuck(facts, {
      cause: condition.reason,
      sentence: `${cluster.metadata.name} ${says}${because(condition.message)}.`,
      nextStep,
      links: [[cluster, `${type}=False (${condition.reason})`]],
    });
  }
  return undefined;
};

/** The provider is missing, or does not work. */
export const providerTrouble: Check = (facts) => {
  const { cluster, provider, unreadable } = facts;
  const key = providerKey(cluster);
  if (key === undefined || cluster.status?.phase === "Ready") return undefined;
  const { name } = cluster.metadata;
  if (provider === undefined) {
    if (unreadable.some(({ what }) => what === `ProviderConfig ${keyText(key)}`)) return undefined;
    return stuck(facts, {
      cause: "ProviderMissing",
      sentence: `${name} names the provider ${keyText(key)}, which does not exist.`,
      nextStep:
        "Make that ProviderConfig, or make the cluster anew with one that exists: kubectl -n butler-system get providerconfigs",
      links: [[cluster, `spec.providerConfigRef is ${keyText(key)}`]],
    });
  }
  const wrong = ["CredentialsValid", "PoolAvailable", "Ready"]
    .map((type) => findCondition(provider.status?.conditions, type))
    .find((condition) => condition?.status === "False");
  if (wrong === undefined) return undefined;
  return stuck(facts, {
    cause: wrong.type === "CredentialsValid" ? "CredentialsInvalid" : "ProviderNotReady",
    sentence: `${name} cannot get machines because its provider ${provider.metadata.name} does not work${because(wrong.message)}.`,
    nextStep: `Ask an operator to put the provider right: kubectl -n ${key.namespace ?? ""} describe providerconfig ${key.name}`,
    links: [[provider, `${wrong.type}=False (${wrong.reason})`]],
  });
};

/** Butler itself says what it lacks before it can begin. */
export const notBegun: Check = (facts) => {
  const { cluster } = facts;
  const lacks = findCondition(cluster.status?.conditions, "InfrastructureReady");
  if (cluster.status?.phase !== "Pending" || lacks?.status !== "False") return undefined;
  return stuck(facts, {
    cause: lacks.reason,
    sentence: `Nothing has been made for ${cluster.metadata.name} yet${because(lacks.message)}.`,
    nextStep: "Put right what the message names; the cluster goes on by itself then.",
    links: [[cluster, `InfrastructureReady=False (${lacks.reason})`]],
  });
};
