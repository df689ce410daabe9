import { readFile } from "node:fs/promises";
import { TenantCluster } from "@butler/api";
import { confirmByTyping, type Terminal, withExamples } from "@butler/cli-kit";
import { type Session, type SessionOptions, withSession } from "@butler/cli-session";
import { Conflict, describeError, InvalidInput, nameSome, sleep, Unavailable } from "@butler/std";
import { Command } from "commander";
import { counted } from "../common/words.ts";
import { type Backup, unpackBackup } from "./backup-file.ts";
import { countKinds, idOf } from "./order.ts";
import { planRestore, type RestoreStep } from "./plan-restore.ts";
import { requireKinds, type RestoreFailure, Restorer } from "./restorer.ts";

interface RestoreOptions extends SessionOptions {
  readonly dryRun?: boolean;
  readonly overwrite?: boolean;
  readonly skipConflicts?: boolean;
  readonly paused?: boolean;
  readonly yes?: boolean;
}

/** `butleradm restore`. */
export function restoreCommand(terminal: Terminal): Command {
  const command = new Command("restore")
    .description("Restore a backup; existing objects that differ are replaced only with --overwrite")
    .argument("<file>", "file written by butleradm backup")
    .option("--dry-run", "print the plan without changing anything")
    .option("--overwrite", "replace existing objects that differ, even if changed after the backup")
    .option("--skip-conflicts", "keep existing objects that differ, and restore the rest")
    .option("--paused", "create tenant clusters paused; set spec.paused to false to start each one")
    .option("-y, --yes", "skip the confirmation prompt")
    .action(async (file: string, _options, self: Command) => {
      const options = self.optsWithGlobals<RestoreOptions>();
      const backup = await unpackBackup(await readBytes(file));
      await withSession(terminal, options, (session) => restore({ terminal, session, options }, backup));
    });
  return withExamples(command, [
    "butleradm restore backup.tar.gz --dry-run",
    "butleradm restore backup.tar.gz --paused --yes",
    "butleradm restore backup.tar.gz --skip-conflicts",
  ]);
}

async function readBytes(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    throw new InvalidInput(`cannot read ${file}: ${describeError(error)}`);
  }
}

interface Restoring {
  readonly terminal: Terminal;
  readonly session: Session;
  readonly options: RestoreOptions;
}

async function restore(restoring: Restoring, { manifest, objects }: Backup): Promise<void> {
  const { terminal, session, options } = restoring;
  await requireKinds(session, objects);
  const restorer = new Restorer(session);
  const live = await restorer.readLive(objects);
  const { overwrite = false, paused = false } = options;
  const steps = planRestore({ objects, live, createdAt: manifest.createdAt, overwrite, paused });
  terminal.say(`Backup created at ${manifest.createdAt} by Butler ${manifest.butler || "(unknown version)"}.`);
  for (const line of describeSteps(steps, paused)) terminal.say(line);
  await tryAll(restorer, steps);
  refuseConflicts(steps, options);
  if (options.dryRun) {
    terminal.say("Dry run: nothing was changed.");
    return;
  }
  const work = steps.filter(({ action }) => action === "create" || action === "replace");
  if (work.length === 0) {
    terminal.say("Nothing to restore.");
    return;
  }
  await requireConsent(restoring, work.length);
  await writeAll(restoring, restorer, work);
}

/** The plan of a restore as text. */
export function describeSteps(steps: readonly RestoreStep[], paused: boolean): string[] {
  const count = (action: RestoreStep["action"]): string => {
    const found = steps.filter((step) => step.action === action).map(({ object }) => object);
    const kinds = Object.entries(countKinds(found)).map(([kind, number]) => `${number} ${kind}`);
    return found.length === 0 ? "none" : kinds.join(", ");
  };
  const built = steps.filter(({ action, object }) => action === "create" && object.kind === TenantCluster.kind).length;
  return [
    `To create:    ${count("create")}`,
    `To replace:   ${count("replace")}`,
    `Unchanged:    ${count("unchanged")}`,
    ...steps.flatMap((step) =>
      "because" in step
        ? [`${step.action === "conflict" ? "Conflict" : "Replaced"}:     ${idOf(step.object)}: ${step.because}`]
        : [],
    ),
    ...(built > 0 && !paused
      ? [
          `${counted(built, "tenant cluster")} will be recreated empty: backups do not include workloads. Use --paused to recreate tenant clusters paused.`,
        ]
      : []),
  ];
}

async function tryAll(restorer: Restorer, steps: readonly RestoreStep[]): Promise<void> {
  const failures: RestoreFailure[] = [];
  for (const step of steps) {
    const failure = await restorer.tryStep(step);
    if (failure !== undefined) failures.push(failure);
  }
  if (failures.length === 0) return;
  throw new InvalidInput(
    ["the API server rejected some objects; nothing was changed", ...failures.map(lineOf)].join("\n"),
    {
      hint: "The backup may come from a Butler version with a different schema.",
    },
  );
}

function refuseConflicts(steps: readonly RestoreStep[], { skipConflicts, dryRun }: RestoreOptions): void {
  const conflicts = steps.filter(({ action }) => action === "conflict").map(({ object }) => idOf(object));
  if (conflicts.length === 0 || skipConflicts === true) return;
  const end = dryRun === true ? "" : "; nothing was changed";
  throw new Conflict(
    `${counted(conflicts.length, "object already exists and differs", "objects already exist and differ")}: ${nameSome(conflicts)}${end}`,
    {
      hint: "Keep existing objects with --skip-conflicts, or replace them with --overwrite.",
    },
  );
}

async function requireConsent({ terminal, options }: Restoring, count: number): Promise<void> {
  if (options.yes) return;
  const question = `Type "restore" to write ${counted(count, "object")}:`;
  if (await confirmByTyping(terminal, { word: "restore", question, flag: "--yes" })) return;
  throw new InvalidInput("confirmation does not match; nothing was changed");
}

const pauseMs = 1_000;
const idleRounds = 5;

/**
 * Writes in order, and retries rejected objects: some are only accepted once a controller has reconciled the objects
 * before them.
 */
async function writeAll(
  { terminal, session }: Restoring,
  restorer: Restorer,
  work: readonly RestoreStep[],
): Promise<void> {
  let open = work;
  let failures: readonly RestoreFailure[] = [];
  for (let idle = 0; open.length > 0 && idle < idleRounds;) {
    if (idle > 0) await sleep(terminal.clock, pauseMs, session.signal);
    const failed: { step: RestoreStep; failure: RestoreFailure }[] = [];
    for (const step of open) {
      const failure = await restorer.doStep(step);
      if (failure !== undefined) failed.push({ step, failure });
    }
    idle = failed.length < open.length ? 0 : idle + 1;
    open = failed.map(({ step }) => step);
    failures = failed.map(({ failure }) => failure);
  }
  terminal.say(`${work.length - open.length} of ${work.length} objects were written.`);
  const lost = new Set(restorer.lostOwners);
  if (lost.size > 0)
    terminal.say(
      `Owner references were omitted because these owners do not exist in this cluster: ${nameSome([...lost])}.`,
    );
  if (restorer.notHandedOver.length > 0)
    terminal.say(`Could not transfer ownership of: ${nameSome(restorer.notHandedOver)}.`);
  if (open.length === 0) return;
  throw new Unavailable(
    [`${counted(open.length, "object")} could not be restored`, ...failures.map(lineOf)].join("\n"),
    {
      hint: "Fix the causes and run the same command again; restored objects stay as they are.",
    },
  );
}

function lineOf({ id, message }: RestoreFailure): string {
  return `  ${id}: ${message}`;
}
