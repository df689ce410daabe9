import { isBeingDeleted } from "@butler/resource";
import type { ClusterFacts } from "./facts.ts";
import { notBegun, notTakenUp, paused, providerNotReady, refused } from "./admission-checks.ts";
import {
  controlPlaneFails,
  controlPlaneLacks,
  controlPlanePodFails,
  dataStoreDown,
  podsRefused,
} from "./control-plane-checks.ts";
import { clusterStays, machineStays, namespaceStays, overdue, partStays, stepBlocked } from "./deletion-checks.ts";
import type { Check, Diagnosis } from "./diagnosis.ts";
import {
  bootstrapDataMissing,
  bootstrapFails,
  machineFails,
  machineNotProvisioned,
  machinePodFails,
  machinesNotMade,
  nodeNeverJoined,
  nodeNotReady,
} from "./machine-checks.ts";
import { webhookInTheWay } from "./webhook-check.ts";
import { addonFails, allIsWell, failed, notObserved, onItsWay } from "./progress-checks.ts";

/** What blocks a deletion: the deepest object first, because those above it wait for it. */
const deletionChecks: readonly Check[] = [
  machineStays,
  dataStoreDown,
  partStays,
  namespaceStays,
  webhookInTheWay,
  stepBlocked,
  overdue,
  clusterStays,
];

/** What keeps a cluster from being ready; each check can be the cause of those after it. */
const lifeChecks: readonly Check[] = [
  paused,
  notTakenUp,
  refused,
  providerNotReady,
  dataStoreDown,
  controlPlanePodFails,
  podsRefused,
  webhookInTheWay,
  controlPlaneFails,
  controlPlaneLacks,
  machinePodFails,
  bootstrapFails,
  machineFails,
  machineNotProvisioned,
  machinesNotMade,
  bootstrapDataMissing,
  nodeNeverJoined,
  nodeNotReady,
  addonFails,
  machineStays,
  notBegun,
  failed,
  notObserved,
  onItsWay,
];

/** Explains a cluster's state: the first cause that applies, or that the cluster is ready. */
export function why(facts: ClusterFacts): Diagnosis {
  const checks = isBeingDeleted(facts.cluster) ? deletionChecks : lifeChecks;
  for (const check of checks) {
    const found = check(facts);
    if (found !== undefined) return found;
  }
  return allIsWell(facts);
}
