import { type Condition, findCondition } from "@butler/resource";
import { controlPlanePods, recentWarnings, sinceMs } from "./facts.ts";
import { because, type Check, type Link, stuck } from "./finding.ts";
import { podTrouble } from "./pod-trouble.ts";

type Facts = Parameters<Check>[0];

/** How long a part may take to come up before it is looked at as a trouble. */
const patienceMs = 45_000;

/** The way down to the hosted control plane. */
function down({ controlPlane, tenantControlPlane }: Facts): Link[] {
  const phase = tenantControlPlane?.status?.kubernetesResources?.version?.status ?? "not ready";
  const ready = controlPlane?.status?.ready === true ? "ready" : "not ready";
  return [
    [controlPlane, ready],
    [tenantControlPlane, phase],
  ];
}

/** The store of the cluster's state does not work. */
export const dataStoreDown: Check = (facts) => {
  const { cluster, dataStore, tenantControlPlane } = facts;
  const wrong = ["Reachable", "SpaceAvailable", "AuthenticationEnabled", "Ready"]
    .map((type) => findCondition(dataStore?.status?.conditions, type))
    .find((condition) => condition?.status === "False");
  if (dataStore !== undefined && wrong !== undefined) {
    return stuck(facts, {
      cause: "DataStoreDown",
      sentence: `${cluster.metadata.name} cannot keep its state because the DataStore ${dataStore.metadata.name} does not work${because(wrong.message)}.`,
      nextStep: `Ask an operator to look at the store: kubectl describe datastore ${dataStore.metadata.name}`,
      links: [...down(facts), [dataStore, `${wrong.type}=False (${wrong.reason})`]],
    });
  }
  const ownView = findCondition(tenantControlPlane?.status?.conditions, "DataStoreReady");
  if (tenantControlPlane === undefined || ownView?.status !== "False" || isFresh(facts, ownView)) return undefined;
  return stuck(facts, {
    cause: "DataStoreNotReady",
    sentence: `${cluster.metadata.name} cannot keep its state yet${because(ownView.message)}.`,
    nextStep: "Ask an operator to look at the stores: kubectl get datastores",
    links: [...down(facts).slice(0, 1), [tenantControlPlane, `DataStoreReady=False (${ownView.reason})`]],
  });
};

/** A pod of the control plane does not run. */
export const controlPlanePodFails: Check = (facts) => {
  for (const pod of controlPlanePods(facts)) {
    const trouble = podTrouble(pod, facts);
    if (trouble === undefined) continue;
    return stuck(facts, {
      cause: trouble.cause,
      sentence: `The control plane of ${facts.cluster.metadata.name} does not run because pod ${pod.metadata.name} ${trouble.predicate}.`,
      nextStep: trouble.nextStep,
      links: [...down(facts), [pod, `${pod.status?.phase ?? "Pending"}, ${trouble.cause}`]],
    });
  }
  return undefined;
};

/** Kubernetes refuses to make pods: a quota of the namespace, a policy, or a webhook. */
export const podsRefused: Check = (facts) => {
  if (facts.cluster.status?.phase === "Ready") return undefined;
  const refused = recentWarnings(facts).find(
    ({ reason, object }) => reason === "FailedCreate" && object.kind !== "MachineSet",
  );
  if (refused === undefined) return undefined;
  const object = { apiVersion: "apps/v1", kind: refused.object.kind, metadata: { name: refused.object.name } };
  return stuck(facts, {
    cause: "PodsRefused",
    sentence: `${facts.cluster.metadata.name} cannot go on because Kubernetes refuses to make its pods${because(refused.message)}.`,
    nextStep: "Ask an operator to lift what the message names: a quota or policy of the namespace, or a webhook.",
    links: [...down(facts), [object, `FailedCreate, ${refused.count} times`]],
  });
};

interface Part {
  readonly type: string;
  readonly says: string;
  readonly nextStep: string;
}

const parts: readonly Part[] = [
  {
    type: "CertificatesReady",
    says: "has no certificates yet",
    nextStep: "Ask an operator to look at the Secrets and the log of Steward.",
  },
  {
    type: "EndpointReady",
    says: "has no address",
    nextStep:
      "See that the platform has load-balancer addresses left, or choose another exposure: kubectl get services -A",
  },
  {
    type: "Available",
    says: "does not answer",
    nextStep: "Look at the pods of the control plane.",
  },
];

/** The control plane says itself that it will never be. */
export const controlPlaneFails: Check = (facts) => {
  const { cluster, controlPlane } = facts;
  const { failureMessage, failureReason = "ControlPlaneFailed" } = controlPlane?.status ?? {};
  if (controlPlane === undefined || !failureMessage) return undefined;
  return stuck(facts, {
    cause: failureReason,
    sentence: `The control plane of ${cluster.metadata.name} cannot come to be${because(failureMessage)}.`,
    nextStep: "Put right what the message names.",
    links: [[controlPlane, failureReason]],
  });
};

/** The control plane says itself what it lacks. */
export const controlPlaneLacks: Check = (facts) => {
  const { cluster, controlPlane, tenantControlPlane } = facts;
  for (const { type, says, nextStep } of parts) {
    const condition = findCondition(tenantControlPlane?.status?.conditions, type);
    if (condition?.status !== "False" || routine.has(condition.reason) || isFresh(facts, condition)) continue;
    return stuck(facts, {
      cause: condition.reason,
      sentence: `The control plane of ${cluster.metadata.name} ${says}${because(condition.message)}.`,
      nextStep,
      links: [
        [controlPlane, "not ready"],
        [tenantControlPlane, `${type}=False (${condition.reason})`],
      ],
    });
  }
  return undefined;
};

/** Whether a condition has changed too lately to be called a trouble: each start has its moments. */
function isFresh(facts: Facts, { lastTransitionTime }: Condition): boolean {
  return sinceMs(facts, lastTransitionTime) < patienceMs;
}

/** Reasons of conditions that are part of every start. */
const routine = new Set(["Provisioning", "StartingPods", "WaitingForControlPlane", "WaitingForCertificates"]);
