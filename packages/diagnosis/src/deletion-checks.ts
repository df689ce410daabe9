import type { Machine } from "@butler/api-external";
import { formatAge } from "@butler/std";
import { annotations, finalizers } from "@butler/api";
import { type Condition, findCondition, isBeingDeleted, type KubeObject } from "@butler/resource";
import { isRecord } from "@butler/std";
import { type ClusterFacts, deletingForMs, infrastructureOf, infrastructureStatus, podOfMachine } from "./facts.ts";
import { because, busy, type Check, type Diagnosis, nameOf, stuck, type ChainBlocker } from "./diagnosis.ts";
import { downTo } from "./machine-checks.ts";

/** A deletion that takes longer than this counts as stuck. */
const patienceMs = 45_000;

const removers: readonly (readonly [RegExp, string])[] = [
  [/^localmachine\.|^localcluster\./, "Butler's local provider"],
  [/^machine\.cluster\.x-k8s\.io$|^cluster\.cluster\.x-k8s\.io$|^cluster\.x-k8s\.io\//, "Cluster API"],
  [/infrastructure\.cluster\.x-k8s\.io$/, "the infrastructure provider"],
  [/steward/, "Steward"],
  [/^butler\.butlerlabs\.dev\//, "butler-controller"],
  [/^foregroundDeletion$/, "the Kubernetes garbage collector once all dependents are deleted"],
];

/** The finalizers that block an object's deletion, with the component that removes each. */
export function heldBy({ metadata }: KubeObject): string {
  const list = metadata.finalizers ?? [];
  if (list.length === 0) return "with no finalizers left";
  const named = list.map((finalizer) => {
    const remover = removers.find(([pattern]) => pattern.test(finalizer))?.[1];
    return remover === undefined ? finalizer : `${finalizer} (removed by ${remover})`;
  });
  return `blocked by ${list.length === 1 ? "finalizer" : "finalizers"} ${named.join(", ")}`;
}

/** Stuck after `patienceMs`, busy before. */
function leaving(facts: ClusterFacts, object: KubeObject, blocker: ChainBlocker): Diagnosis {
  return (deletingForMs(facts, object) > patienceMs ? stuck : busy)(facts, blocker);
}

function oldestLeaving<T extends KubeObject>(facts: ClusterFacts, objects: readonly T[]): T | undefined {
  const byLength = (left: T, right: T): number => deletingForMs(facts, right) - deletingForMs(facts, left);
  return objects.filter(isBeingDeleted).sort(byLength)[0];
}

/** A machine is stuck deleting: checks its pod, then its infrastructure machine, then the machine itself. */
export const machineStays: Check = (facts) => {
  const machine = oldestLeaving(facts, facts.machines);
  return machine === undefined
    ? undefined
    : (podStays(facts, machine) ?? infrastructureStays(facts, machine) ?? ownStay(facts, machine));
};

function podStays(facts: ClusterFacts, machine: Machine): Diagnosis | undefined {
  const pod = podOfMachine(facts, machine);
  const infrastructure = infrastructureOf(facts, machine);
  if (pod === undefined || !isBeingDeleted(pod) || infrastructure === undefined) return undefined;
  const span = formatAge(deletingForMs(facts, pod));
  const node = pod.spec.nodeName;
  return leaving(facts, pod, {
    reason: "PodStuckDeleting",
    message: `Deletion of worker machine ${machine.metadata.name} in cluster ${facts.cluster.metadata.name} is waiting for pod ${pod.metadata.name}, which has been terminating for ${span}${node === undefined ? "" : ` on node ${node}`}${pod.metadata.finalizers?.length ? `, ${heldBy(pod)}` : ""}.`,
    remedy:
      node === undefined
        ? "Ask a platform administrator to check the pod."
        : `Ask a platform administrator to check node ${node}: kubectl get node ${node}`,
    links: [...downTo(facts, machine), [infrastructure, "Terminating"], [pod, `Terminating for ${span}`]],
  });
}

function infrastructureStays(facts: ClusterFacts, machine: Machine): Diagnosis | undefined {
  const object = infrastructureOf(facts, machine);
  if (object === undefined || !isBeingDeleted(object)) return undefined;
  const span = formatAge(deletingForMs(facts, object));
  const said = sayingWhy(infrastructureStatus(object).conditions);
  return leaving(facts, object, {
    reason: "MachineStuckDeleting",
    message: `Deletion of worker machine ${machine.metadata.name} in cluster ${facts.cluster.metadata.name} is waiting for ${nameOf(object)}, which has been terminating for ${span}, ${heldBy(object)}${because(said)}.`,
    remedy: `Check that the controller that removes the finalizer is running and can reach the infrastructure: kubectl -n ${object.metadata.namespace ?? ""} describe ${object.kind.toLowerCase()} ${object.metadata.name}`,
    links: [...downTo(facts, machine), [object, `Terminating for ${span}, ${finalizerList(object)}`]],
  });
}

function ownStay(facts: ClusterFacts, machine: Machine): Diagnosis {
  const span = formatAge(deletingForMs(facts, machine));
  const deleting = findCondition(machine.status?.conditions, "Deleting");
  const isDraining = deleting?.reason === "DrainingNode";
  const said = deleting?.message ? deleting.message.split("\n").join(" ") : undefined;
  return leaving(facts, machine, {
    reason: isDraining ? "NodeNotDrained" : "MachineStuckDeleting",
    message: isDraining
      ? `The node for worker machine ${machine.metadata.name} in cluster ${facts.cluster.metadata.name} has been draining for ${span}${because(said)}.`
      : `Worker machine ${machine.metadata.name} in cluster ${facts.cluster.metadata.name} has been terminating for ${span}, ${heldBy(machine)}${because(said)}.`,
    remedy: isDraining
      ? "In the tenant cluster, delete the pods named above or the PodDisruptionBudget that blocks their eviction: kubectl get pdb -A"
      : `Check the machine: kubectl -n ${machine.metadata.namespace ?? ""} describe machine ${machine.metadata.name}`,
    links: [...downTo(facts, machine).slice(0, 1), [machine, `Terminating for ${span}, ${finalizerList(machine)}`]],
  });
}

/** The control plane or the Cluster API Cluster is stuck deleting. */
export const partStays: Check = (facts) => {
  const { cluster, tenantControlPlane, controlPlane, capiCluster } = facts;
  const object = oldestLeavingPart(facts);
  if (object === undefined) return undefined;
  const span = formatAge(deletingForMs(facts, object));
  const said = sayingWhy(object.status?.conditions ?? []);
  return leaving(facts, object, {
    reason: object === capiCluster ? "ClusterStuckDeleting" : "ControlPlaneStuckDeleting",
    message: `Deletion of ${cluster.metadata.name} is waiting for ${nameOf(object)}, which has been terminating for ${span}, ${heldBy(object)}${because(said)}.`,
    remedy: `Check the object: kubectl -n ${object.metadata.namespace ?? ""} describe ${object.kind.toLowerCase()} ${object.metadata.name}`,
    links: [capiCluster, controlPlane, tenantControlPlane]
      .slice(0, [capiCluster, controlPlane, tenantControlPlane].indexOf(object) + 1)
      .map((part) => [
        part,
        part !== undefined && isBeingDeleted(part) ? `Terminating, ${finalizerList(part)}` : "exists",
      ]),
  });
};

/** The deepest object that is being deleted: those above it wait for it. */
function oldestLeavingPart({ tenantControlPlane, controlPlane, capiCluster }: ClusterFacts) {
  return [tenantControlPlane, controlPlane, capiCluster].find((part) => part !== undefined && isBeingDeleted(part));
}

/** The namespace is stuck terminating and reports what is left in it. */
export const namespaceStays: Check = (facts) => {
  const { cluster, namespace } = facts;
  if (namespace === undefined || !isBeingDeleted(namespace)) return undefined;
  const { status } = namespace;
  const conditions = (
    isRecord(status) && Array.isArray(status["conditions"]) ? status["conditions"] : []
  ) as Condition[];
  const left = conditions.filter(({ type, status: holds }) => /Remaining$|Failure$/.test(type) && holds === "True");
  const span = formatAge(deletingForMs(facts, namespace));
  return leaving(facts, namespace, {
    reason: "NamespaceStuckDeleting",
    message: `Deletion of ${cluster.metadata.name} is waiting for namespace ${namespace.metadata.name}, which has been terminating for ${span}${because(left.map(({ message }) => message).join(" "))}.`,
    remedy: `List the remaining objects: kubectl get all,machines,secrets -n ${namespace.metadata.name}`,
    links: [[namespace, `Terminating for ${span}`]],
  });
};

const steps = ["AddonsRemoved", "WorkersRemoved", "ControlPlaneRemoved", "AddressesReleased", "NamespaceRemoved"];

/** The cluster reports which step of its deletion has not finished. */
export const stepBlocked: Check = (facts) => {
  const { cluster } = facts;
  const blocked = steps
    .map((type) => findCondition(cluster.status?.conditions, type))
    .find((condition) => condition?.status === "False");
  if (blocked === undefined) return undefined;
  const overdue = findCondition(cluster.status?.conditions, "DeletionOverdue");
  return (overdue?.status === "True" ? stuck : leavingState(facts))(facts, {
    reason: overdue?.status === "True" ? "DeletionOverdue" : blocked.reason,
    message: `Deletion of ${cluster.metadata.name} is at step ${blocked.type}${because(blocked.message)}.`,
    remedy: overdue?.status === "True" ? giveUp(facts) : "Wait, then check again in a minute.",
    links: [[cluster, `${blocked.type}=False (${blocked.reason})`]],
  });
};

/** The deletion has exceeded its deadline. */
export const overdue: Check = (facts) => {
  const condition = findCondition(facts.cluster.status?.conditions, "DeletionOverdue");
  if (condition?.status !== "True") return undefined;
  return stuck(facts, {
    reason: "DeletionOverdue",
    message: `Deletion of ${facts.cluster.metadata.name} is overdue${because(condition.message)}.`,
    remedy: giveUp(facts),
    links: [[facts.cluster, `DeletionOverdue (${condition.reason})`]],
  });
};

/** Only the TenantCluster itself is left: reports which finalizers block it. */
export const clusterStays: Check = (facts) => {
  const { cluster } = facts;
  const span = formatAge(deletingForMs(facts, cluster));
  const isOurs = cluster.metadata.finalizers?.every((finalizer) => finalizer === finalizers.tenantCluster) ?? true;
  return leaving(facts, cluster, {
    reason: "Deleting",
    message: `${cluster.metadata.name} has been terminating for ${span}, ${heldBy(cluster)}.`,
    remedy: isOurs
      ? "If this persists, ask a platform administrator to check that butler-controller is running: kubectl -n butler-system get pods"
      : "Find out which controller added the finalizer and whether it is still needed.",
    links: [],
  });
};

function leavingState(facts: ClusterFacts): typeof stuck {
  return deletingForMs(facts, facts.cluster) > patienceMs ? stuck : busy;
}

function giveUp({ cluster: { metadata } }: ClusterFacts): string {
  return `Fix the reported cause, or ask a platform administrator to abandon the cluster and clean up any remaining resources: kubectl -n ${metadata.namespace ?? ""} annotate tenantcluster ${metadata.name} ${annotations.abandon}=true`;
}

function sayingWhy(conditions: readonly Condition[]): string | undefined {
  const deleting = findCondition(conditions, "Deleting");
  return deleting?.message || conditions.find(({ status, message }) => status === "False" && message !== "")?.message;
}

function finalizerList({ metadata }: KubeObject): string {
  return metadata.finalizers?.length ? `finalizers: ${metadata.finalizers.join(", ")}` : "no finalizers";
}
