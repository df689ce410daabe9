import type { Machine } from "@butler/api-external";
import { formatAge } from "@butler/std";
import { annotations, finalizers } from "@butler/api";
import { type Condition, findCondition, isBeingDeleted, type KubeObject } from "@butler/resource";
import { isRecord } from "@butler/std";
import { type ClusterFacts, deletingForMs, infrastructureOf, infrastructureStatus, podOfMachine } from "./facts.ts";
import { because, busy, type Check, type Finding, nameOf, stuck, type Trouble } from "./finding.ts";
import { downTo } from "./machine-checks.ts";

/** What takes longer than this to go is not just taking its time. */
const patienceMs = 45_000;

const keepers: readonly (readonly [RegExp, string])[] = [
  [/^localmachine\.|^localcluster\./, "Butler's local provider"],
  [/^machine\.cluster\.x-k8s\.io$|^cluster\.cluster\.x-k8s\.io$|^cluster\.x-k8s\.io\//, "Cluster API"],
  [/infrastructure\.cluster\.x-k8s\.io$/, "the infrastructure provider"],
  [/steward/, "Steward"],
  [/^butler\.butlerlabs\.dev\//, "butler-controller"],
  [/^foregroundDeletion$/, "Kubernetes' garbage collector, which waits for what the object owns"],
];

/** The finalizers that hold an object, with who would remove them. */
export function heldBy({ metadata }: KubeObject): string {
  const list = metadata.finalizers ?? [];
  if (list.length === 0) return "nothing holds it any more";
  const named = list.map((finalizer) => {
    const keeper = keepers.find(([pattern]) => pattern.test(finalizer))?.[1];
    return keeper === undefined ? finalizer : `${finalizer} (removed by ${keeper})`;
  });
  return `${list.length === 1 ? "the finalizer" : "the finalizers"} ${named.join(", ")} ${list.length === 1 ? "holds" : "hold"} it`;
}

/** Stuck once patience is over, busy before. */
function leaving(facts: ClusterFacts, object: KubeObject, trouble: Trouble): Finding {
  return (deletingForMs(facts, object) > patienceMs ? stuck : busy)(facts, trouble);
}

function oldestLeaving<T extends KubeObject>(facts: ClusterFacts, objects: readonly T[]): T | undefined {
  const byLength = (left: T, right: T): number => deletingForMs(facts, right) - deletingForMs(facts, left);
  return objects.filter(isBeingDeleted).sort(byLength)[0];
}

/** A machine that should go stays; told down to the machine at its provider and its pod. */
export const machineStays: Check = (facts) => {
  const machine = oldestLeaving(facts, facts.machines);
  return machine === undefined
    ? undefined
    : (podStays(facts, machine) ?? infrastructureStays(facts, machine) ?? ownStay(facts, machine));
};

function podStays(facts: ClusterFacts, machine: Machine): Finding | undefined {
  const pod = podOfMachine(facts, machine);
  const infrastructure = infrastructureOf(facts, machine);
  if (pod === undefined || !isBeingDeleted(pod) || infrastructure === undefined) return undefined;
  const span = formatAge(deletingForMs(facts, pod));
  const node = pod.spec.nodeName;
  return leaving(facts, pod, {
    cause: "PodStuckDeleting",
    sentence: `Worker machine ${machine.metadata.name} of ${facts.cluster.metadata.name} does not go because its pod ${pod.metadata.name} has been ending for ${span}${node === undefined ? "" : ` on node ${node}`}${pod.metadata.finalizers?.length ? `: ${heldBy(pod)}` : ""}.`,
    nextStep:
      node === undefined
        ? "Ask an operator to look at the pod."
        : `Ask an operator whether node ${node} is well: kubectl get node ${node}`,
    links: [...downTo(facts, machine), [infrastructure, "Deleting"], [pod, `ending for ${span}`]],
  });
}

function infrastructureStays(facts: ClusterFacts, machine: Machine): Finding | undefined {
  const object = infrastructureOf(facts, machine);
  if (object === undefined || !isBeingDeleted(object)) return undefined;
  const span = formatAge(deletingForMs(facts, object));
  const said = sayingWhy(infrastructureStatus(object).conditions);
  return leaving(facts, object, {
    cause: "MachineStuckDeleting",
    sentence: `Worker machine ${machine.metadata.name} of ${facts.cluster.metadata.name} does not go: ${nameOf(object)} has been on its way out for ${span}, and ${heldBy(object)}${because(said)}.`,
    nextStep: `See that the controller that removes the finalizer runs and reaches the infrastructure: kubectl -n ${object.metadata.namespace ?? ""} describe ${object.kind.toLowerCase()} ${object.metadata.name}`,
    links: [...downTo(facts, machine), [object, `Deleting for ${span}, ${finalizerList(object)}`]],
  });
}

function ownStay(facts: ClusterFacts, machine: Machine): Finding {
  const span = formatAge(deletingForMs(facts, machine));
  const deleting = findCondition(machine.status?.conditions, "Deleting");
  const isDraining = deleting?.reason === "DrainingNode";
  const said = deleting?.message ? deleting.message.split("\n").join(" ") : undefined;
  return leaving(facts, machine, {
    cause: isDraining ? "NodeNotDrained" : "MachineStuckDeleting",
    sentence: isDraining
      ? `Worker machine ${machine.metadata.name} of ${facts.cluster.metadata.name} does not go because its node cannot be emptied of pods for ${span}${because(said)}.`
      : `Worker machine ${machine.metadata.name} of ${facts.cluster.metadata.name} has been on its way out for ${span}, and ${heldBy(machine)}${because(said)}.`,
    nextStep: isDraining
      ? "Inside the cluster, remove the pods that the message names or the PodDisruptionBudget that keeps them: kubectl get pdb -A"
      : `Look at the machine: kubectl -n ${machine.metadata.namespace ?? ""} describe machine ${machine.metadata.name}`,
    links: [...downTo(facts, machine).slice(0, 1), [machine, `Deleting for ${span}, ${finalizerList(machine)}`]],
  });
}

/** The control plane or the cluster's own object stays. */
export const partStays: Check = (facts) => {
  const { cluster, tenantControlPlane, controlPlane, capiCluster } = facts;
  const object = oldestLeavingPart(facts);
  if (object === undefined) return undefined;
  const span = formatAge(deletingForMs(facts, object));
  const said = sayingWhy(object.status?.conditions ?? []);
  return leaving(facts, object, {
    cause: object === capiCluster ? "ClusterStuckDeleting" : "ControlPlaneStuckDeleting",
    sentence: `${cluster.metadata.name} does not go: its ${nameOf(object)} has been on its way out for ${span}, and ${heldBy(object)}${because(said)}.`,
    nextStep: `Look at it: kubectl -n ${object.metadata.namespace ?? ""} describe ${object.kind.toLowerCase()} ${object.metadata.name}`,
    links: [capiCluster, controlPlane, tenantControlPlane]
      .slice(0, [capiCluster, controlPlane, tenantControlPlane].indexOf(object) + 1)
      .map((part) => [part, part !== undefined && isBeingDeleted(part) ? `Deleting, ${finalizerList(part)}` : "there"]),
  });
};

/** The deepest part that is on its way out: those above it wait for it. */
function oldestLeavingPart({ tenantControlPlane, controlPlane, capiCluster }: ClusterFacts) {
  return [tenantControlPlane, controlPlane, capiCluster].find((part) => part !== undefined && isBeingDeleted(part));
}

/** The namespace stays, and says what is left in it. */
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
    cause: "NamespaceStuckDeleting",
    sentence: `${cluster.metadata.name} does not go: its namespace ${namespace.metadata.name} has been on its way out for ${span}${because(left.map(({ message }) => message).join(" "))}.`,
    nextStep: `See what is left in it: kubectl get all,machines,secrets -n ${namespace.metadata.name}`,
    links: [[namespace, `Terminating for ${span}`]],
  });
};

const steps = ["AddonsRemoved", "WorkersRemoved", "ControlPlaneRemoved", "AddressesReleased", "NamespaceRemoved"];

/** The cluster says itself which step of its deletion does not come to an end. */
export const stepBlocked: Check = (facts) => {
  const { cluster } = facts;
  const blocked = steps
    .map((type) => findCondition(cluster.status?.conditions, type))
    .find((condition) => condition?.status === "False");
  if (blocked === undefined) return undefined;
  const overdue = findCondition(cluster.status?.conditions, "DeletionOverdue");
  return (overdue?.status === "True" ? stuck : leavingState(facts))(facts, {
    cause: overdue?.status === "True" ? "DeletionOverdue" : blocked.reason,
    sentence: `${cluster.metadata.name} is being deleted and has not got past ${blocked.type}${because(blocked.message)}.`,
    nextStep: overdue?.status === "True" ? giveUp(facts) : "Wait; ask again in a minute.",
    links: [[cluster, `${blocked.type}=False (${blocked.reason})`]],
  });
};

/** The deletion has taken longer than it may. */
export const overdue: Check = (facts) => {
  const condition = findCondition(facts.cluster.status?.conditions, "DeletionOverdue");
  if (condition?.status !== "True") return undefined;
  return stuck(facts, {
    cause: "DeletionOverdue",
    sentence: `The deletion of ${facts.cluster.metadata.name} takes longer than it may${because(condition.message)}.`,
    nextStep: giveUp(facts),
    links: [[facts.cluster, `DeletionOverdue (${condition.reason})`]],
  });
};

/** Nothing else is left: what holds the cluster itself? */
export const clusterStays: Check = (facts) => {
  const { cluster } = facts;
  const span = formatAge(deletingForMs(facts, cluster));
  const isOurs = cluster.metadata.finalizers?.every((finalizer) => finalizer === finalizers.tenantCluster) ?? true;
  return leaving(facts, cluster, {
    cause: "Deleting",
    sentence: `${cluster.metadata.name} has been on its way out for ${span}, and ${heldBy(cluster)}.`,
    nextStep: isOurs
      ? "If this goes on, ask an operator whether butler-controller runs: kubectl -n butler-system get pods"
      : "Find out who has added the finalizer and whether it is still needed.",
    links: [],
  });
};

function leavingState(facts: ClusterFacts): typeof stuck {
  return deletingForMs(facts, facts.cluster) > patienceMs ? stuck : busy;
}

function giveUp({ cluster: { metadata } }: ClusterFacts): string {
  return `Put right what the message names; or let the cluster go and clean up by hand what is left: kubectl -n ${metadata.namespace ?? ""} annotate tenantcluster ${metadata.name} ${annotations.abandon}=true`;
}

function sayingWhy(conditions: readonly Condition[]): string | undefined {
  const deleting = findCondition(conditions, "Deleting");
  return deleting?.message || conditions.find(({ status, message }) => status === "False" && message !== "")?.message;
}

function finalizerList({ metadata }: KubeObject): string {
  return metadata.finalizers?.length ? `held by ${metadata.finalizers.join(", ")}` : "held by nothing";
}
