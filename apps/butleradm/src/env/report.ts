import type { ObjectView, Style } from "@butler/cli-kit";
import type { Decision } from "./migration-plan.ts";
import type { MoveOutcome } from "./move-cluster.ts";
import type { UndoDecision } from "./undo-plan.ts";

/** The actual or planned result for one cluster. */
export interface ReportRow {
  readonly cluster: string;
  readonly from: string | null;
  readonly to: string | null;
  readonly state: string;
  readonly note: string;
}

/** States that require action. */
const unmoved: ReadonlySet<string> = new Set(["conflict", "unknown", "refused", "changed"]);
/** States that tables omit. */
const quiet: ReadonlySet<string> = new Set(["there", "leaving"]);

const styles: Readonly<Record<string, Style>> = {
  moved: "good",
  "would move": "busy",
  kept: "faint",
  unmatched: "faint",
};

/** Whether a row reports a cluster that was not moved. */
export function isUnmoved({ state }: ReportRow): boolean {
  return unmoved.has(state);
}

/** Whether tables show a row; JSON and YAML contain all rows. */
export function isListed({ state, from }: ReportRow): boolean {
  return !quiet.has(state) && (state !== "unmatched" || from === null);
}

/** How rows are displayed. */
export const reportView: ObjectView<ReportRow> = {
  nameOf: ({ cluster }) => `tenantcluster/${cluster}`,
  columns: [
    { title: "CLUSTER", value: ({ cluster }) => cluster },
    { title: "FROM", value: ({ from }) => from ?? "(none)" },
    { title: "TO", value: ({ to, state }) => to ?? (state === "moved" || state === "would move" ? "(none)" : "-") },
    {
      title: "STATE",
      value: ({ state }) => state,
      style: (row) => (isUnmoved(row) ? "bad" : styles[row.state]),
    },
    { title: "NOTE", value: ({ note }) => note },
  ],
};

/** The note for a decision that moves nothing. */
export function decisionNote(decision: Exclude<Decision, { state: "move" }>): { to: string | null; note: string } {
  switch (decision.state) {
    case "there":
    case "leaving":
      return { to: null, note: "" };
    case "unmatched":
      return { to: null, note: "no rule matches" };
    case "kept":
      return { to: decision.to, note: "in another environment; add --relabel to move it" };
    case "conflict":
      return { to: null, note: `rules conflict: ${decision.wanted.join(" and ")}` };
    case "unknown":
      return {
        to: decision.to,
        note: decision.team === undefined ? "team not found" : `team ${decision.team} does not define this environment`,
      };
  }
}

/** The result of a move as state and note. */
export function outcomeText(outcome: MoveOutcome, dryRun: boolean): Pick<ReportRow, "state" | "note"> {
  switch (outcome.state) {
    case "moved":
      return { state: dryRun ? "would move" : "moved", note: "" };
    case "there":
      return { state: "there", note: "" };
    case "gone":
      return { state: "gone", note: "the cluster no longer exists" };
    case "changed":
      return { state: "changed", note: changedNote(outcome.is) };
    case "refused":
      return { state: "refused", note: outcome.reasons.join("; ") };
  }
}

function changedNote(is: string | undefined): string {
  return `changed by another client; now in ${is ?? "no environment"}`;
}

/** The note for an undo decision that moves nothing. */
export function undoNote(decision: Exclude<UndoDecision, { state: "back" }>): string {
  switch (decision.state) {
    case "there":
      return "";
    case "gone":
      return "the cluster no longer exists";
    case "changed":
      return changedNote(decision.is);
  }
}
