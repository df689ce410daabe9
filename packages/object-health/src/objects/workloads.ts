import type { KubeObject } from "@butler/resource";
import { valueAt } from "@butler/std";
import { conditionsOf, countAt, holding, numberAt, textAt, wordsOf } from "./fields.ts";
import { failed, progressing, type Readiness, ready } from "./readiness.ts";

/** Appends what keeps a workload from creating pods (a quota, a policy). */
function withReplicaFailure(object: KubeObject, message: string): Readiness {
  const failure = holding(object, "ReplicaFailure");
  return progressing(failure === undefined ? message : `${message}; pods cannot be created: ${wordsOf(failure)}`);
}

const wantedReplicas = (object: KubeObject): number => numberAt(object, "spec", "replicas") ?? 1;

/** A Deployment is ready when all of its pods are updated and available, and no old one is left. */
export function deploymentReadiness(object: KubeObject): Readiness {
  const stuck = conditionsOf(object).find(({ reason }) => reason === "ProgressDeadlineExceeded");
  if (stuck !== undefined) return failed(`rollout exceeded its progress deadline: ${wordsOf(stuck)}`);
  const wanted = wantedReplicas(object);
  const available = countAt(object, "status", "availableReplicas");
  const shown = `${available} of ${wanted} replicas are available`;
  // The rollout is paused on purpose, so the old pods are the ones to judge.
  if (valueAt(object, "spec.paused") === true) {
    return available >= wanted ? ready(`${shown}; rollout paused`) : withReplicaFailure(object, shown);
  }
  const updated = countAt(object, "status", "updatedReplicas");
  if (updated < wanted) return withReplicaFailure(object, `${updated} of ${wanted} replicas are updated`);
  const older = countAt(object, "status", "replicas") - updated;
  if (older > 0) return withReplicaFailure(object, `${older} old replicas are pending termination`);
  if (updated > wanted) return progressing(`${updated - wanted} surplus replicas are pending termination`);
  return available < wanted ? withReplicaFailure(object, shown) : ready(shown);
}

/** A ReplicaSet is ready when all of its pods are available. */
export function replicaSetReadiness(object: KubeObject): Readiness {
  const wanted = wantedReplicas(object);
  const available = countAt(object, "status", "availableReplicas");
  const shown = `${available} of ${wanted} replicas are available`;
  const surplus = countAt(object, "status", "replicas") - wanted;
  if (surplus > 0) return progressing(`${surplus} surplus replicas are pending termination`);
  return available < wanted ? withReplicaFailure(object, shown) : ready(shown);
}

/** A StatefulSet is ready when its pods are, and as many of them are updated as its strategy requires. */
export function statefulSetReadiness(object: KubeObject): Readiness {
  const wanted = wantedReplicas(object);
  const isManual = textAt(object, "spec", "updateStrategy", "type") === "OnDelete";
  const partition = countAt(object, "spec", "updateStrategy", "rollingUpdate", "partition");
  const toUpdate = isManual ? 0 : Math.max(0, wanted - partition);
  const updated = countAt(object, "status", "updatedReplicas");
  const available = numberAt(object, "status", "availableReplicas") ?? countAt(object, "status", "readyReplicas");
  const surplus = countAt(object, "status", "replicas") - wanted;
  if (surplus > 0) return progressing(`${surplus} surplus replicas are pending termination`);
  const shown = `${available} of ${wanted} replicas are available`;
  if (available < wanted) return withReplicaFailure(object, shown);
  if (updated < toUpdate) return withReplicaFailure(object, `${updated} of ${toUpdate} replicas are updated`);
  return ready(shown);
}

/** A DaemonSet is ready when every desired node has an updated and available pod; zero desired nodes are fine too. */
export function daemonSetReadiness(object: KubeObject): Readiness {
  const wanted = countAt(object, "status", "desiredNumberScheduled");
  const isManual = textAt(object, "spec", "updateStrategy", "type") === "OnDelete";
  const updated = countAt(object, "status", "updatedNumberScheduled");
  const available = countAt(object, "status", "numberAvailable");
  const shown = `${available} of ${wanted} nodes have an available pod`;
  if (!isManual && updated < wanted) return progressing(`${updated} of ${wanted} nodes have an updated pod`);
  return available < wanted ? progressing(shown) : ready(shown);
}

/** A Job is ready when it is complete. A suspended one matches its spec and will not progress. */
export function jobReadiness(object: KubeObject): Readiness {
  const broken = holding(object, "Failed") ?? holding(object, "FailureTarget");
  if (broken !== undefined) return failed(`failed: ${wordsOf(broken)}`);
  if (holding(object, "Complete") !== undefined) return ready("complete");
  if (valueAt(object, "spec.suspend") === true) return ready("suspended");
  const succeeded = countAt(object, "status", "succeeded");
  const wanted = numberAt(object, "spec", "completions") ?? 1;
  const failures = countAt(object, "status", "failed");
  const shown = `${succeeded} of ${wanted} completions succeeded`;
  return progressing(failures === 0 ? shown : `${shown}; ${failures} ${failures === 1 ? "pod" : "pods"} failed`);
}
