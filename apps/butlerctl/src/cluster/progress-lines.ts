import { clusterPhase, type TenantCluster } from "@butler/api";
import { formatAge, type Paint, printable } from "@butler/cli-kit";
import type { Condition } from "@butler/resource";
import { phaseStyle } from "./cluster-view.ts";

/** How progress lines are formatted. */
export interface ProgressText {
  readonly paint: Paint;
  /** How long the command has been waiting. */
  readonly elapsedMs: () => number;
}

/** What changed about a cluster since it was last observed: its phase, and each changed condition. */
export function progressLines(before: TenantCluster | undefined, after: TenantCluster, text: ProgressText): string[] {
  const time = text.paint("faint", formatAge(text.elapsedMs()).padStart(4));
  const phase = clusterPhase(after);
  const phaseLine =
    before !== undefined && clusterPhase(before) === phase ? [] : [text.paint(phaseStyle(phase), phase)];
  const earlier = new Map((before?.status?.conditions ?? []).map((condition) => [condition.type, condition]));
  const changed = (after.status?.conditions ?? []).filter((condition) =>
    isNews(earlier.get(condition.type), condition),
  );
  return [...phaseLine, ...changed.map((condition) => conditionLine(condition, text.paint))].map(
    (line) => `${time}  ${line}`,
  );
}

/** Conditions that are true when something is wrong or paused. */
const negative = new Set(["Paused", "DeletionOverdue"]);

function isNews(before: Condition | undefined, after: Condition): boolean {
  // Ready summarizes the other conditions, and a problem that does not exist is not worth a line.
  if (after.type === "Ready" || after.reason === "Waiting") return false;
  if (negative.has(after.type) && after.status !== "True" && before?.status !== "True") return false;
  return before === undefined || before.status !== after.status || before.message !== after.message;
}

function conditionLine({ type, status, reason, message }: Condition, paint: Paint): string {
  const isGood = (status === "True") !== negative.has(type);
  const mark = isGood ? paint("good", "✓") : paint(status === "Unknown" ? "faint" : "busy", "…");
  const words = printable(message) || printable(reason);
  return `${mark} ${type}${words === "" ? "" : `: ${words}`}`;
}
