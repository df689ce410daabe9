import { formatDuration, type TimelineStep } from "@butler/ui";
import type { ClusterView } from "../../parts/cluster-facts.ts";

type Condition = NonNullable<NonNullable<ClusterView["status"]>["conditions"]>[number];

/** Creation steps of a cluster, with condition type and label. */
const steps = [
  ["Accepted", "QuotaSatisfied", "Admitted"],
  ["Network", "NetworkReady", "Addresses"],
  ["ControlPlane", "ControlPlaneReady", "Control plane"],
  ["Workers", "WorkersReady", "Machines joined"],
  ["Addons", "AddonsReady", "Add-ons"],
  ["Ready", "Ready", "Ready"],
] as const;

/** Reasons that require user action. All other open steps continue automatically. */
const failing =
  /Failed|Failing|Error|Invalid|Exhausted|Exceeded|Denied|Refused|NotFound|Missing|Unsupported|Taken|Outside|Degraded|Conflict|NotIn|Lost|Overdue/;

/** The creation timeline of a cluster: steps with times, and what the open ones wait for. */
export function makingOf({ status }: ClusterView, now: Date): TimelineStep[] {
  const hasFailed = status?.phase === "Failed";
  return steps.map(([name, type, label]) => {
    const timed = status?.steps?.find((step) => step.name === name);
    const condition = status?.conditions?.find((each) => each.type === type);
    const tone = toneOf(condition, { isFinished: timed?.finishedAt !== undefined, hasFailed });
    const time = timed && tookOf(timed, now);
    const detail = tone === "ready" ? undefined : detailOf(condition);
    return { id: name, label, ...looks[tone], ...(time && { time }), ...(detail && { detail }) };
  });
}

const looks = {
  ready: { tone: "ready", word: "done" },
  working: { tone: "working", word: "in progress" },
  failed: { tone: "failed", word: "failed" },
  asleep: { tone: "asleep", word: "not started" },
} as const;

function toneOf(
  condition: Condition | undefined,
  { isFinished, hasFailed }: { readonly isFinished: boolean; readonly hasFailed: boolean },
): keyof typeof looks {
  if (condition?.status === "True") return "ready";
  if (condition === undefined) return isFinished ? "ready" : "asleep";
  return hasFailed || failing.test(condition.reason) ? "failed" : "working";
}

function tookOf({ startedAt, finishedAt }: { startedAt: string; finishedAt?: string | undefined }, now: Date): string {
  const end = finishedAt === undefined ? now.getTime() : Date.parse(finishedAt);
  const took = formatDuration(end - Date.parse(startedAt));
  return finishedAt === undefined ? `${took} elapsed` : took;
}

function detailOf(condition: Condition | undefined): string | undefined {
  if (condition === undefined) return undefined;
  return condition.message === "" ? condition.reason : condition.message;
}
