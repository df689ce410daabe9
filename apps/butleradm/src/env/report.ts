import type { ObjectView, Style } from "@butler/cli-kit";
import type { Decision } from "./migration-plan.ts";
import type { MoveOutcome } from "./move-cluster.ts";
import type { UndoDecision } from "./undo-plan.ts";

/** What became, or would become, of one cluster. */
export interface ReportRow {
  readonly cluster: string;
  readonly from: string | null;
  readonly to: string | null;
  readonly state: string;
  readonly note: string;
}

/** States that somebody has to look at. */
const troubles: ReadonlySet<string> = new Set(["conflict", "unknown", "refused", "changed"]);
/** States that nothing is to be said about. */
const quiet: ReadonlySet<string> = new Set(["there", "leaving"]);

const styles: Readonly<Record<string, Style>> = {
  moved: "good",
  "would move": "busy",
  kept: "faint",
  unmatched: "faint",
};

/** Whether a row says that something was left undone. */
export function isTrouble({ state }: ReportRow): boolean {
  return troubles.has(state);
}

/** Whether a row is worth a line of a table; as JSON and YAML all are given. */
export function isTold({ state, from }: ReportRow): boolean {
  return !quiet.has(state) && (state !== "unmatched" || from === null);
}

/** How rows are shown. */
export const reportView: ObjectView<ReportRow> = {
  nameOf: ({ cluster }) => `tenantcluster/${cluster}`,
  columns: [
    { title: "CLUSTER", value: ({ cluster }) => cluster },
    { title: "FROM", value: ({ from }) => from ?? "(none)" },
    { title: "TO", value: ({ to, state }) => to ?? (state === "moved" || state === "would move" ? "(none)" : "-") },
    {
      title: "STATE",
      value: ({ state }) => state,
      style: (row) => (isTrouble(row) ? "bad" : styles[row.state]),
    },
    { title: "NOTE", value: ({ note }) => note },
  ],
};

/** What a decision comes to when nothing is moved. */
export function decisionNote(decision: Exclude<Decision, { state: "move" }>): { to: string | null; note: string } {
  switch (decision.state) {
    case "there":
    case "leaving":
      return { to: null, note: "" };
    case "unmatched":
      return { to: null, note: "no rule is about it" };
    case "kept":
      return { to: decision.to, note: "it is in another environment; add --relabel to move it" };
    case "conflict":
      return { to: null, note: `rules want it in ${decision.wanted.join(" and in ")}` };
    case "unknown":
      return {
        to: decision.to,
        note: decision.team === undefined ? "it has no team" : `team ${decision.team} has no such environment`,
      };
  }
}

/** What a move came to. */
export function outcomeText(outcome: MoveOutcome, dryRun: boolean): Pick<ReportRow, "state" | "note"> {
  switch (outcome.state) {
    case "moved":
      return { state: dryRun ? "would move" : "moved", note: "" };
    case "there":
      return { state: "there", note: "" };
    case "gone":
      return { state: "gone", note: "it is not there any more" };
    case "changed":
      return { state: "changed", note: changedNote(outcome.is) };
    case "refused":
      return { state: "refused", note: outcome.reasons.join("; ") };
  }
}

function changedNote(is: string | undefined): string {
  return `somebody has changed it meanwhile; it is in ${is ?? "no environment"}`;
}

/** What a decision about taking a move back comes to when nothing is moved. */
export function undoNote(decision: Exclude<UndoDecision, { state: "back" }>): string {
  switch (decision.state) {
    case "there":
      return "";
    case "gone":
      return "it is not there any more";
    case "changed":
      return changedNote(decision.is);
  }
}
