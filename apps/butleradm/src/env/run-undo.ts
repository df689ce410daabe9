import { TenantCluster } from "@butler/api";
import { readList } from "@butler/cli-session";
import { readJournal } from "./journal-file.ts";
import { moveCluster, unmarkCluster } from "./move-cluster.ts";
import { outcomeText, type ReportRow, undoNote } from "./report.ts";
import { type MigrationWork, overtaken } from "./run-migration.ts";
import { type PlannedUndo, planUndo } from "./undo-plan.ts";

/** Undoes a migration, or reports the planned moves. Idempotent: moves that are already undone are skipped. */
export async function runUndo(work: MigrationWork, path: string): Promise<readonly ReportRow[]> {
  const { session, platform, terminal, apply } = work;
  const { moves, isFinished, header } = await readJournal(path, platform);
  const state = isFinished ? "" : " (unfinished)";
  terminal.say(`Migration started at ${header.startedAt}${state}: ${moves.length} moves.`);
  const plan = planUndo(moves, await readList(session, TenantCluster, {}));
  const rows: ReportRow[] = [];
  for (const planned of plan) rows.push(await undoOne(work, planned));
  if (apply) for (const { marked, ...place } of plan) if (!marked) await unmarkCluster(session, place);
  return rows;
}

async function undoOne({ session, apply }: MigrationWork, { cluster, uid, decision }: PlannedUndo): Promise<ReportRow> {
  if (decision.state !== "back") {
    const from = decision.state === "changed" ? (decision.is ?? null) : null;
    return { cluster, from, to: null, state: decision.state, note: undoNote(decision) };
  }
  const { from, to } = decision;
  const nothing = (): Promise<void> => Promise.resolve();
  const request = { cluster, uid, from, to, isWanted: () => true };
  const outcome = await moveCluster({ session, dryRun: !apply, beforehand: nothing }, request).catch(overtaken);
  return { cluster, from, to: to ?? null, ...outcomeText(outcome, !apply) };
}
