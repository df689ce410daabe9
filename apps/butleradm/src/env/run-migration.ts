import { Team, TenantCluster } from "@butler/api";
import type { Terminal } from "@butler/cli-kit";
import { readList, type Session } from "@butler/cli-session";
import { keyOf, keyText } from "@butler/resource";
import { Conflict } from "@butler/std";
import { requireTeam } from "../team/find-team.ts";
import { isUnfinished, JournalFile } from "./journal-file.ts";
import {
  decideCluster,
  environmentOf,
  isMarked,
  type MigrationRules,
  type Planned,
  planMigration,
  teamNameOf,
} from "./migration-plan.ts";
import { moveCluster, type MoveOutcome, unmarkCluster } from "./move-cluster.ts";
import { decisionNote, outcomeText, type ReportRow } from "./report.ts";
import type { Rule } from "./rules.ts";

/** The context of a migration and of its undo. */
export interface MigrationWork {
  readonly terminal: Terminal;
  readonly session: Session;
  readonly apply: boolean;
  /** Identifies the platform. */
  readonly platform: string;
}

/** The requested migration. */
export interface MigrationWish {
  readonly rules: readonly Rule[];
  readonly relabel: boolean;
  readonly team: string | undefined;
  readonly undoFile: string;
}

/** Moves clusters by rules, or reports the planned moves. */
export async function runMigration(work: MigrationWork, wish: MigrationWish): Promise<readonly ReportRow[]> {
  const { session, terminal, apply, platform } = work;
  const { team, undoFile, rules, relabel } = wish;
  if (team !== undefined) await requireTeam(session, team);
  const teams = await readList(session, Team, {});
  const clusters = await readList(session, TenantCluster, {});
  const asked = clusters.filter((cluster) => team === undefined || teamNameOf(cluster) === team);
  const settings: MigrationRules = { rules, relabel, teams };
  const plan = planMigration(asked, settings);
  const hasMoves = plan.some(({ decision }) => decision.state === "move");
  const hasWork = apply && (hasMoves || (await isUnfinished(undoFile)));
  if (!hasWork) return carryOut({ work, settings, journal: undefined }, plan);
  const journal = await JournalFile.open({ path: undoFile, platform, now: terminal.clock.now() });
  try {
    if (journal.earlier.length > 0) terminal.say(`Resuming the migration recorded in ${undoFile}.`);
    const rows = await carryOut({ work, settings, journal }, plan);
    // An interrupted run has left annotations.
    for (const move of journal.earlier) if (!move.marked) await unmarkCluster(session, move);
    await journal.finish();
    terminal.say(`To undo it: butleradm env migrate --undo ${undoFile}`);
    return rows;
  } catch (error) {
    terminal.say(
      `The migration was interrupted. Run the same command again to resume; ${undoFile} records the moves so far.`,
    );
    throw error;
  } finally {
    await journal.close();
  }
}

interface CarryingOut {
  readonly work: MigrationWork;
  readonly settings: MigrationRules;
  /** Undefined for a dry run. */
  readonly journal: JournalFile | undefined;
}

async function carryOut(parts: CarryingOut, plan: readonly Planned[]): Promise<readonly ReportRow[]> {
  const rows: ReportRow[] = [];
  for (const planned of plan) {
    const { cluster, decision } = planned;
    const place = { cluster: keyText(keyOf(cluster)), from: environmentOf(cluster) ?? null };
    if (decision.state !== "move") {
      rows.push({ ...place, state: decision.state, ...decisionNote(decision) });
      continue;
    }
    const outcome = await moveOne(parts, { cluster, to: decision.to });
    rows.push({ ...place, to: decision.to, ...outcomeText(outcome, parts.journal === undefined) });
  }
  return rows;
}

async function moveOne(
  { work: { session }, settings, journal }: CarryingOut,
  { cluster, to }: { readonly cluster: TenantCluster; readonly to: string },
): Promise<MoveOutcome> {
  const place = { cluster: keyText(keyOf(cluster)), uid: cluster.metadata.uid ?? "" };
  const from = environmentOf(cluster);
  const earlier = journal?.earlier.find((move) => move.uid === place.uid);
  const marked = earlier?.marked ?? isMarked(cluster);
  let isNoted = false;
  const beforehand = async (): Promise<void> => {
    if (journal === undefined || isNoted) return;
    await journal.move({ ...place, from: from ?? null, to, marked });
    isNoted = true;
  };
  const isWanted = (current: TenantCluster): boolean => {
    const decision = decideCluster(current, settings);
    return decision.state === "move" && decision.to === to;
  };
  const request = { ...place, from, to, isWanted };
  const outcome = await moveCluster({ session, dryRun: journal === undefined, beforehand }, request).catch(overtaken);
  if (journal === undefined) return outcome;
  if (isNoted && outcome.state !== "moved" && outcome.state !== "there") await journal.refused(place.uid);
  if (outcome.state === "moved" && !marked) await unmarkCluster(session, place);
  return outcome;
}

/** Gives up on a cluster with constant conflicts, and continues with the others. */
export function overtaken(error: unknown): MoveOutcome {
  if (error instanceof Conflict)
    return { state: "refused", reasons: ["too many conflicting updates from other clients"] };
  throw error;
}
