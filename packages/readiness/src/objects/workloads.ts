import type { KubeObject } from "@butler/resource";
import { conditionsOf, countAt, holding, numberAt, textAt, valueAt, wordsOf } from "./fields.ts";
import { failed, progressing, type Readiness, ready } from "./readiness.ts";

/** What keeps a workload from making pods at all (a quota, a policy), added to what it lacks. */
function withTrouble(object: KubeObject, message: string): Readiness {
  const trouble = holding(object, "ReplicaFailure");
  return progressing(trouble === undefined ? message : `${message}; pods cannot be made: ${wordsOf(trouble)}`);
}

const wantedReplicas = (object: KubeObject): number => numberAt(object, "spec", "replicas") ?? 1;

/** A Deployment is ready when all of its pods are of the newest template and available, and no older one is left. */
export function deploymentReadiness(object: KubeObject): Readiness {
  const stuck = conditionsOf(object).find(({ reason }) => reason === "ProgressDeadlineExceeded");
  if (stuck !== undefined) return failed(`its rollout has not gone on in time: ${wordsOf(stuck)}`);
  const wanted = wantedReplicas(object);
  const available = countAt(object, "status", "availableReplicas");
  const shown = `${available} of ${wanted} replicas are available`;
  // Somebody holds the rollout back on purpose, so that the older pods are the ones to be judged.
  if (valueAt(object, "spec", "paused") === true) {
    return available >= wanted ? ready(`${shown}; its rollout is paused`) : withTrouble(object, shown);
  }
  const updated = countAt(object, "status", "updatedReplicas");
  if (updated < wanted) return withTrouble(object, `${updated} of ${wanted} replicas are updated`);
  const older = countAt(object, "status", "replicas") - updated;
  if (older > 0) return withTrouble(object, `replicas of an older template still there: ${older}`);
  if (updated > wanted) return progressing(`replicas too many still there: ${updated - wanted}`);
  return available < wanted ? withTrouble(object, shown) : ready(shown);
}

/** A ReplicaSet is ready when all of its pods are available. */
export function replicaSetReadiness(object: KubeObject): Readiness {
  const wanted = wantedReplicas(object);
  const available = countAt(object, "status", "availableReplicas");
  const shown = `${available} of ${wanted} replicas are available`;
  const surplus = countAt(object, "status", "replicas") - wanted;
  if (surplus > 0) return progressing(`replicas too many still there: ${surplus}`);
  return available < wanted ? withTrouble(object, shown) : ready(shown);
}

/** A StatefulSet is ready when its pods are, and as many of them are new as its strategy asks for. */
export function statefulSetReadiness(object: KubeObject): Readiness {
  const wanted = wantedReplicas(object);
  const isManual = textAt(object, "spec", "updateStrategy", "type") === "OnDelete";
  const partition = countAt(object, "spec", "updateStrategy", "rollingUpdate", "partition");
  const toUpdate = isManual ? 0 : Math.max(0, wanted - partition);
  const updated = countAt(object, "status", "updatedReplicas");
  const available = numberAt(object, "status", "availableReplicas") ?? countAt(object, "status", "readyReplicas");
  const surplus = countAt(object, "status", "replicas") - wanted;
  if (surplus > 0) return progressing(`replicas too many still there: ${surplus}`);
  const shown = `${available} of ${wanted} replicas are available`;
  if (available < wanted) return withTrouble(object, shown);
  if (updated < toUpdate) return withTrouble(object, `${updated} of ${toUpdate} replicas are updated`);
  return ready(shown);
}

/** A DaemonSet is ready when every node that should have its pod has a new and available one; no node is fine too. */
export function daemonSetReadiness(object: KubeObject): Readiness {
  const wanted = countAt(object, "status", "desiredNumberScheduled");
  const isManual = textAt(object, "spec", "updateStrategy", "type") === "OnDelete";
  const updated = countAt(object, "status", "updatedNumberScheduled");
  const available = countAt(object, "status", "numberAvailable");
  const shown = `${available} of ${wanted} nodes have an available pod`;
  if (!isManual && updated < wanted) return progressing(`${updated} of ${wanted} nodes have the newest pod`);
  return available < wanted ? progressing(shown) : ready(shown);
}

/** A Job is ready when it has done its work. One that is suspended does what its spec says, and nothing more will come. */
export function jobReadiness(object: KubeObject): Readiness {
  const broken = holding(object, "Failed") ?? holding(object, "FailureTarget");
  if (broken !== undefined) return failed(`it has failed: ${wordsOf(broken)}`);
  if (holding(object, "Complete") !== undefined) return ready("it is complete");
  if (valueAt(object, "spec", "suspend") === true) return ready("it is suspended");
  const succeeded = countAt(object, "status", "succeeded");
  const wanted = numberAt(object, "spec", "completions") ?? 1;
  const failures = countAt(object, "status", "failed");
  const shown = `${succeeded} of ${wanted} runs have succeeded`;
  return progressing(failures === 0 ? shown : `${shown}, ${failures} have failed`);
}
