import { clusterPhase, type TenantCluster } from "@butler/api";
import { UsageError, type Verdict } from "@butler/cli-kit";
import { findCondition, isBeingDeleted } from "@butler/resource";
import { NotFound } from "@butler/std";
import { judgeReady } from "./wait-for-cluster.ts";

/** What to wait for. */
export type WaitGoal =
  | { readonly until: "ready" }
  | { readonly until: "delete" }
  | { readonly until: "phase"; readonly phase: string }
  | { readonly until: "condition"; readonly type: string; readonly status: string };

const phases = ["Pending", "Provisioning", "Installing", "Ready", "Updating", "Deleting", "Failed"];

/** Parses `--for`: ready, delete, phase=PHASE or condition=TYPE[=STATUS], where STATUS defaults to True. */
export function parseGoal(text: string): WaitGoal {
  const word = text.toLowerCase();
  if (word === "ready" || word === "delete") return { until: word };
  const [, wantedPhase] = /^phase=(\w+)$/i.exec(text) ?? [];
  const phase = phases.find((each) => each.toLowerCase() === wantedPhase?.toLowerCase());
  if (phase !== undefined) return { until: "phase", phase };
  const [, type, status = "True"] = /^condition=(\w+)(?:=(\w+))?$/i.exec(text) ?? [];
  if (type !== undefined) return { until: "condition", type, status: capital(status) };
  throw new UsageError(`invalid --for value "${text}"`, {
    hint: `--for must be ready, delete, phase=PHASE (${phases.join(", ")}) or condition=TYPE[=STATUS].`,
  });
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1).toLowerCase();
}

/** The goal as the end of a sentence. */
export function goalText(name: string, goal: WaitGoal): string {
  switch (goal.until) {
    case "ready":
      return `${name} to be ready`;
    case "delete":
      return `${name} to be deleted`;
    case "phase":
      return `${name} to be ${goal.phase}`;
    case "condition":
      return `condition ${goal.type} of ${name} to be ${goal.status}`;
  }
}

/** Whether a cluster has reached the goal. */
export function judgeGoal(seen: TenantCluster | undefined, cluster: TenantCluster, goal: WaitGoal): Verdict {
  const { name, uid } = cluster.metadata;
  const isGone = seen === undefined || seen.metadata.uid !== uid;
  if (goal.until === "delete") {
    if (isGone) return { state: "done" };
    return {
      state: "waiting",
      for: isBeingDeleted(seen) ? "deletion in progress" : "deletion has not been requested",
    };
  }
  if (isGone) return { state: "failed", error: new NotFound(`${name} was deleted while waiting`) };
  if (goal.until === "ready") return judgeReady(seen, cluster);
  if (goal.until === "phase") {
    const phase = clusterPhase(seen);
    return phase === goal.phase ? { state: "done" } : { state: "waiting", for: `current phase is ${phase}` };
  }
  return judgeCondition(seen, goal);
}

function judgeCondition({ metadata, status }: TenantCluster, goal: WaitGoal & { until: "condition" }): Verdict {
  if ((status?.observedGeneration ?? 0) < (metadata.generation ?? 0)) {
    return { state: "waiting", for: "the controller has not observed the latest change yet" };
  }
  const condition = findCondition(status?.conditions, goal.type);
  if (condition === undefined) return { state: "waiting", for: `condition ${goal.type} has not been reported yet` };
  if (condition.status === goal.status) return { state: "done" };
  return { state: "waiting", for: condition.message || `${goal.type} is ${condition.status}` };
}
