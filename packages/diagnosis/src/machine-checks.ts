import type { Machine, MachineDeployment, Pod } from "@butler/api-external";
import { formatAge } from "@butler/std";
import { type Condition, type DynamicObject, findCondition, isBeingDeleted } from "@butler/resource";
import {
  type ClusterFacts,
  infrastructureOf,
  infrastructureStatus,
  type InfrastructureStatus,
  podOfMachine,
  recentWarnings,
  sinceMs,
} from "./facts.ts";
import { because, type Check, type Diagnosis, type Link, nameOf, stuck } from "./diagnosis.ts";
import { blockerOfPod } from "./blocker-of-pod.ts";

/** The label by which Cluster API marks the machines of a pool. */
const deploymentNameLabel = "cluster.x-k8s.io/deployment-name";

/** A machine that has not joined by then has hit a problem that it cannot report. */
const joinPatienceMs = 10 * 60_000;

/** A machine whose provider reports the same condition for this long needs action. */
const changePatienceMs = 5 * 60_000;

/** A new node needs this long until its network is up. */
const nodePatienceMs = 45_000;

/** A machine with its infrastructure machine and pod. */
interface MachineView {
  readonly machine: Machine;
  readonly infrastructure: DynamicObject | undefined;
  readonly status: InfrastructureStatus | undefined;
  readonly pod: Pod | undefined;
}

type MachineCheck = (facts: ClusterFacts, view: MachineView) => Diagnosis | undefined;

/** Checks each machine in turn; deletion-checks.ts covers machines that are being deleted. */
function each(check: MachineCheck): Check {
  return (facts) => {
    for (const machine of facts.machines) {
      if (isBeingDeleted(machine)) continue;
      const infrastructure = infrastructureOf(facts, machine);
      const status = infrastructure === undefined ? undefined : infrastructureStatus(infrastructure);
      const found = check(facts, { machine, infrastructure, status, pod: podOfMachine(facts, machine) });
      if (found !== undefined) return found;
    }
    return undefined;
  };
}

/** Whether a machine belongs to a pool. */
function isOfPool(machine: Machine, { metadata: { name } }: MachineDeployment): boolean {
  const labelled = machine.metadata.labels?.[deploymentNameLabel];
  return labelled === undefined ? machine.metadata.name.startsWith(`${name}-`) : labelled === name;
}

/** The chain down to a machine. */
export function downTo(facts: ClusterFacts, machine: Machine): Link[] {
  const deployment = facts.machineDeployments.find((pool) => isOfPool(machine, pool));
  const ready = `${deployment?.status?.readyReplicas ?? 0} of ${deployment?.spec.replicas ?? 0} ready`;
  return [
    [deployment, ready],
    [machine, machine.status?.phase ?? "Pending"],
  ];
}

/** The pod that runs a machine is not running. */
export const machinePodFails: Check = each((facts, { machine, infrastructure, pod, status }) => {
  const blocker = pod === undefined ? undefined : blockerOfPod(pod, facts);
  if (pod === undefined || blocker === undefined) return undefined;
  return stuck(facts, {
    reason: blocker.reason,
    message: `Worker machine ${machine.metadata.name} in cluster ${facts.cluster.metadata.name} is not running because its pod ${pod.metadata.name} ${blocker.message}.`,
    remedy: blocker.remedy,
    links: [
      ...downTo(facts, machine),
      [infrastructure, status?.phase ?? "not ready"],
      [pod, `${pod.status?.phase ?? "Pending"}, ${blocker.reason}`],
    ],
  });
});

/** The bootstrap on the machine failed. */
export const bootstrapFails: Check = each((facts, { machine, infrastructure, status }) => {
  const failed = findCondition(status?.conditions, "BootstrapSucceeded");
  const hasFailed = failed?.status === "False" && /Fail|Error/.test(failed.reason);
  if (infrastructure === undefined || failed === undefined || !hasFailed) return undefined;
  return stuck(facts, {
    reason: "BootstrapFailed",
    message: `Worker machine ${machine.metadata.name} in cluster ${facts.cluster.metadata.name} is running but failed to join the cluster${because(failed.message)}.`,
    remedy: `Delete the machine to recreate it: kubectl -n ${machine.metadata.namespace ?? ""} delete machine ${machine.metadata.name}`,
    links: [...downTo(facts, machine), [infrastructure, `BootstrapSucceeded=False (${failed.reason})`]],
  });
});

/** The provider reports a terminal failure. */
export const machineFails: Check = each((facts, { machine, infrastructure, status }) => {
  const reason = status?.failureReason ?? (machine.status?.phase === "Failed" ? "Failed" : undefined);
  if (reason === undefined) return undefined;
  const message = status?.failureMessage ?? readyOf(machine.status?.conditions)?.message;
  return stuck(facts, {
    reason: "MachineFailed",
    message: `Worker machine ${machine.metadata.name} in cluster ${facts.cluster.metadata.name} has failed permanently${because(message)}.`,
    remedy: `Fix the reported cause, then delete the machine to recreate it: kubectl -n ${machine.metadata.namespace ?? ""} delete machine ${machine.metadata.name}`,
    links: [...downTo(facts, machine), [infrastructure, reason]],
  });
});

/** The provider cannot create the machine at the moment. */
export const machineNotProvisioned: Check = each((facts, { machine, infrastructure, status }) => {
  if (infrastructure === undefined || status === undefined || status.isProvisioned) return undefined;
  const ready = readyOf(status.conditions);
  if (ready?.status !== "False" || !needsAction(facts, ready)) return undefined;
  return stuck(facts, {
    reason: ready.reason,
    message: `Worker machine ${machine.metadata.name} in cluster ${facts.cluster.metadata.name} cannot be created${because(ready.message)}.`,
    remedy: "Fix the reported cause, or ask a platform administrator to check the provider.",
    links: [...downTo(facts, machine), [infrastructure, `Ready=False (${ready.reason})`]],
  });
});

/** The machine's bootstrap data is missing. */
export const bootstrapDataMissing: Check = each((facts, { machine, infrastructure }) => {
  const isMade = machine.status?.initialization?.bootstrapDataSecretCreated === true;
  if (isMade || machine.spec.bootstrap.dataSecretName !== undefined) return undefined;
  const condition = findCondition(machine.status?.conditions, "BootstrapConfigReady");
  const isOld = sinceMs(facts, machine.metadata.creationTimestamp) > joinPatienceMs;
  const hasFailed = condition?.status === "False" && /Fail|Error|Invalid/.test(condition.reason);
  if (!isOld && !hasFailed) return undefined;
  return stuck(facts, {
    reason: "BootstrapDataMissing",
    message: `Worker machine ${machine.metadata.name} in cluster ${facts.cluster.metadata.name} is waiting for its bootstrap data${because(condition?.message)}.`,
    remedy: "Ask a platform administrator to check the Cluster API bootstrap provider.",
    links: [...downTo(facts, machine), [infrastructure, "waiting for bootstrap data"]],
  });
});

/** The machine is running, but its node has not joined. */
export const nodeNeverJoined: Check = each((facts, { machine, infrastructure, status }) => {
  if (machine.status?.nodeRef !== undefined || status?.isProvisioned !== true) return undefined;
  const waitedMs = sinceMs(facts, machine.metadata.creationTimestamp);
  if (waitedMs < joinPatienceMs) return undefined;
  return stuck(facts, {
    reason: "NodeNeverJoined",
    message: `Worker machine ${machine.metadata.name} in cluster ${facts.cluster.metadata.name} is running, but its node has not joined the cluster after ${formatAge(waitedMs)}.`,
    remedy: `Check that the machine can reach the API server at ${facts.cluster.status?.controlPlaneEndpoint ?? "its endpoint"}, and check the machine's bootstrap log.`,
    links: [...downTo(facts, machine), [infrastructure, "provisioned, no node"]],
  });
});

/** A node of the cluster is not ready. */
export const nodeNotReady: Check = each((facts, { machine, infrastructure }) => {
  if (machine.status?.nodeRef === undefined) return undefined;
  const wrong = ["NodeReady", "NodeHealthy"]
    .map((type) => findCondition(machine.status?.conditions, type))
    .find((condition) => condition?.status === "False" || condition?.status === "Unknown");
  if (wrong === undefined || sinceMs(facts, wrong.lastTransitionTime) < nodePatienceMs) return undefined;
  const node = machine.status.nodeRef.name;
  return stuck(facts, {
    reason: "NodeNotReady",
    message: `Node ${node} in cluster ${facts.cluster.metadata.name} is not ready${because(wrong.message)}.`,
    remedy: `Check the node in the cluster: kubectl describe node ${node}`,
    links: [
      ...downTo(facts, machine),
      [infrastructure, `node ${node}: ${wrong.type}=${wrong.status} (${wrong.reason})`],
    ],
  });
});

/** A pool has fewer machines than replicas because it is paused or their creation fails. */
export const machinesNotMade: Check = (facts) => {
  for (const deployment of facts.machineDeployments) {
    const { metadata, spec } = deployment;
    const pool = facts.machines.filter((machine) => isOfPool(machine, deployment));
    const refusal = recentWarnings(facts).find(
      ({ reason, object }) =>
        reason === "FailedCreate" && object.kind === "MachineSet" && object.name.startsWith(metadata.name),
    );
    if ((spec.replicas ?? 0) <= pool.length || (refusal === undefined && spec.paused !== true)) continue;
    const { name } = facts.cluster.metadata;
    return stuck(facts, {
      reason: spec.paused === true ? "PoolPaused" : "MachinesNotMade",
      message:
        spec.paused === true
          ? `No machines are created for ${name} because ${nameOf(deployment)} is paused.`
          : `Cluster API cannot create machines for ${name}${because(refusal?.message)}.`,
      remedy: "Fix the reported cause; Cluster API then creates the machines.",
      links: [[deployment, `${pool.length} of ${spec.replicas ?? 0} machines exist`]],
    });
  }
  return undefined;
};

function readyOf(conditions: readonly Condition[] | undefined): Condition | undefined {
  return findCondition(conditions, "Ready");
}

/** Whether a provider's condition needs action rather than time. */
function needsAction(facts: ClusterFacts, { reason, lastTransitionTime }: Condition): boolean {
  if (/^(Waiting|Starting|Creating|Bootstrapping|Provisioning|Pending)/.test(reason)) return false;
  const isFailure =
    /Fail|Error|Invalid|Exceed|Quota|NotFound|Denied|Forbidden|Missing|Available|Stuck|Unschedulable|Unknown|Conflict|Taken/;
  return isFailure.test(reason) || sinceMs(facts, lastTransitionTime) > changePatienceMs;
}
