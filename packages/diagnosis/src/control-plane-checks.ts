import { type Condition, findCondition } from "@butler/resource";
import { controlPlanePods, recentWarnings, sinceMs } from "./facts.ts";
import { because, type Check, type Link, stuck } from "./diagnosis.ts";
import { blockerOfPod } from "./blocker-of-pod.ts";

type Facts = Parameters<Check>[0];

/** How long a component may take to start before it counts as a problem. */
const patienceMs = 45_000;

/** The chain down to the hosted control plane. */
function down({ controlPlane, tenantControlPlane }: Facts): Link[] {
  const phase = tenantControlPlane?.status?.kubernetesResources?.version?.status ?? "not ready";
  const ready = controlPlane?.status?.ready === true ? "ready" : "not ready";
  return [
    [controlPlane, ready],
    [tenantControlPlane, phase],
  ];
}

/** The DataStore that holds the cluster's state is unhealthy. */
export const dataStoreDown: Check = (facts) => {
  const { cluster, dataStore, tenantControlPlane } = facts;
  const wrong = ["Reachable", "SpaceAvailable", "AuthenticationEnabled", "Ready"]
    .map((type) => findCondition(dataStore?.status?.conditions, type))
    .find((condition) => condition?.status === "False");
  if (dataStore !== undefined && wrong !== undefined) {
    return stuck(facts, {
      reason: "DataStoreDown",
      message: `${cluster.metadata.name} cannot store its state because DataStore ${dataStore.metadata.name} is unhealthy${because(wrong.message)}.`,
      remedy: `Ask a platform administrator to check the DataStore: kubectl describe datastore ${dataStore.metadata.name}`,
      links: [...down(facts), [dataStore, `${wrong.type}=False (${wrong.reason})`]],
    });
  }
  const ownView = findCondition(tenantControlPlane?.status?.conditions, "DataStoreReady");
  if (tenantControlPlane === undefined || ownView?.status !== "False" || isFresh(facts, ownView)) return undefined;
  return stuck(facts, {
    reason: "DataStoreNotReady",
    message: `${cluster.metadata.name} cannot store its state yet${because(ownView.message)}.`,
    remedy: "Ask a platform administrator to check the DataStores: kubectl get datastores",
    links: [...down(facts).slice(0, 1), [tenantControlPlane, `DataStoreReady=False (${ownView.reason})`]],
  });
};

/** A pod of the control plane is not running. */
export const controlPlanePodFails: Check = (facts) => {
  for (const pod of controlPlanePods(facts)) {
    const blocker = blockerOfPod(pod, facts);
    if (blocker === undefined) continue;
    return stuck(facts, {
      reason: blocker.reason,
      message: `The control plane of ${facts.cluster.metadata.name} is not running because pod ${pod.metadata.name} ${blocker.message}.`,
      remedy: blocker.remedy,
      links: [...down(facts), [pod, `${pod.status?.phase ?? "Pending"}, ${blocker.reason}`]],
    });
  }
  return undefined;
};

/** Kubernetes rejects pods: a quota of the namespace, a policy, or a webhook. */
export const podsRefused: Check = (facts) => {
  if (facts.cluster.status?.phase === "Ready") return undefined;
  const refused = recentWarnings(facts).find(
    ({ reason, object }) => reason === "FailedCreate" && object.kind !== "MachineSet",
  );
  if (refused === undefined) return undefined;
  const object = { apiVersion: "apps/v1", kind: refused.object.kind, metadata: { name: refused.object.name } };
  return stuck(facts, {
    reason: "PodsRefused",
    message: `Kubernetes rejects pods for ${facts.cluster.metadata.name}${because(refused.message)}.`,
    remedy: "Ask a platform administrator to fix the reported cause: a namespace quota, a policy or a webhook.",
    links: [...down(facts), [object, `FailedCreate, ${refused.count} times`]],
  });
};

interface ConditionAdvice {
  readonly type: string;
  readonly says: string;
  readonly remedy: string;
}

const conditionAdvice: readonly ConditionAdvice[] = [
  {
    type: "CertificatesReady",
    says: "has no certificates yet",
    remedy: "Ask a platform administrator to check the Secrets and the Steward logs.",
  },
  {
    type: "EndpointReady",
    says: "has no address",
    remedy:
      "Check that the platform has free load balancer addresses, or choose another exposure mode: kubectl get services -A",
  },
  {
    type: "Available",
    says: "does not respond",
    remedy: "Check the control plane pods.",
  },
];

/** The control plane reports a terminal failure. */
export const controlPlaneFails: Check = (facts) => {
  const { cluster, controlPlane } = facts;
  const { failureMessage, failureReason = "ControlPlaneFailed" } = controlPlane?.status ?? {};
  if (controlPlane === undefined || !failureMessage) return undefined;
  return stuck(facts, {
    reason: failureReason,
    message: `The control plane of ${cluster.metadata.name} failed${because(failureMessage)}.`,
    remedy: "Fix the reported cause.",
    links: [[controlPlane, failureReason]],
  });
};

/** The control plane reports what is missing. */
export const controlPlaneLacks: Check = (facts) => {
  const { cluster, controlPlane, tenantControlPlane } = facts;
  for (const { type, says, remedy } of conditionAdvice) {
    const condition = findCondition(tenantControlPlane?.status?.conditions, type);
    if (condition?.status !== "False" || routine.has(condition.reason) || isFresh(facts, condition)) continue;
    return stuck(facts, {
      reason: condition.reason,
      message: `The control plane of ${cluster.metadata.name} ${says}${because(condition.message)}.`,
      remedy,
      links: [
        [controlPlane, "not ready"],
        [tenantControlPlane, `${type}=False (${condition.reason})`],
      ],
    });
  }
  return undefined;
};

/** Whether a condition changed too recently to count as a problem: every start passes through such states. */
function isFresh(facts: Facts, { lastTransitionTime }: Condition): boolean {
  return sinceMs(facts, lastTransitionTime) < patienceMs;
}

/** Condition reasons that occur during every start. */
const routine = new Set(["Provisioning", "StartingPods", "WaitingForControlPlane", "WaitingForCertificates"]);
