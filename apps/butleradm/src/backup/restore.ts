import { readFile } from "node:fs/promises";
import { TenantCluster } from "@butler/api";
import { confirmByTyping, type Terminal, withExamples } from "@butler/cli-kit";
import { type Session, type SessionOptions, withSession } from "@butler/cli-session";
import { Conflict, describeError, InvalidInput, nameSome, sleep, Unavailable } from "@butler/std";
import { Command } from "commander";
import { type Backup, unpackBackup } from "./backup-file.ts";
import { countKinds, idOf } from "./order.ts";
import { planRestore, type RestoreStep } from "./plan-restore.ts";
import { requireKinds, Restorer, type Trouble } from "./restorer.ts";

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
    .description("Put back what a backup has; what is there and differs stays unless --overwrite is given")
    .argument("<file>", "a file that butleradm backup has written")
    .option("--dry-run", "say what would be done, and change nothing")
    .option("--overwrite", "replace what is there and differs, also what was changed after the backup")
    .option("--skip-conflicts", "leave what differs as it is, and restore the rest")
    .option("--paused", "make tenant clusters without building them, until their spec.paused is false")
    .option("-y, --yes", "do not ask")
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
    throw new InvalidInput(`${file} cannot be read: ${describeError(error)}`);
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
  terminal.say(`The backup is of ${manifest.createdAt}, from Butler ${manifest.butler || "of an unknown version"}.`);
  for (const line of describeSteps(steps, paused)) terminal.say(line);
  await tryAll(restorer, steps);
  refuseConflicts(steps, options);
  if (options.dryRun) {
    terminal.say("This was a dry run: nothing was changed.");
    return;
  }
  const work = steps.filter(({ action }) => action === "create" || action === "replace");
  if (work.length === 0) {
    terminal.say("There is nothing to do.");
    return;
  }
  await requireConsent(restoring, work.length);
  await writeAll(restoring, restorer, work);
}

/** What a restore does, for people. */
export function describeSteps(steps: readonly RestoreStep[], paused: boolean): string[] {
  const count = (action: RestoreStep["action"]): string => {
    const found = steps.filter((step) => step.action === action).map(({ object }) => object);
    const kinds = Object.entries(countKinds(found)).map(([kind, number]) => `${number} ${kind}`);
    return found.length === 0 ? "none" : kinds.join(", ");
  };
  const built = steps.filter(({ action, object }) => action === "create" && object.kind === TenantCluster.kind).length;
  return [
    `To make:      ${count("create")}`,
    `To replace:   ${count("replace")}`,
    `As they are:  ${count("unchanged")}`,
    ...steps.flatMap((step) =>
      "because" in step
        ? [`${step.action === "conflict" ? "Conflict" : "Replaced"}:     ${idOf(step.object)}: ${step.because}`]
        : [],
    ),
    ...(built > 0 && !paused
      ? [
          `${built} tenant clusters will be built anew, and empty: what ran in them is not part of a backup. Hold them back with --paused.`,
        ]
      : []),
  ];
}

async function tryAll(restorer: Restorer, steps: readonly RestoreStep[]): Promise<void> {
  const troubles: Trouble[] = [];
  for (const step of steps) {
    const trouble = await restorer.tryStep(step);
    if (trouble !== undefined) troubles.push(trouble);
  }
  if (troubles.length === 0) return;
  throw new InvalidInput(
    ["the API server does not take everything; nothing was changed", ...troubles.map(lineOf)].join("\n"),
    {
      hint: "The backup may be of a version whose objects were different.",
    },
  );
}

function refuseConflicts(steps: readonly RestoreStep[], { skipConflicts, dryRun }: RestoreOptions): void {
  const conflicts = steps.filter(({ action }) => action === "conflict").map(({ object }) => idOf(object));
  if (conflicts.length === 0 || skipConflicts === true) return;
  const end = dryRun === true ? "" : "; nothing was changed";
  throw new Conflict(`${conflicts.length} objects are there and differ: ${nameSome(conflicts)}${end}`, {
    hint: "Leave them with --skip-conflicts, or replace them with --overwrite.",
  });
}

async function requireConsent({ terminal, options }: Restoring, count: number): Promise<void> {
  if (options.yes) return;
  const question = `Type restore to write ${count} objects:`;
  if (await confirmByTyping(terminal, { word: "restore", question, flag: "--yes" })) return;
  throw new InvalidInput("that is not the word; nothing was changed");
}

const pauseMs = 1_000;
const idleRounds = 5;

/**
 * Writes in order, and comes back to what is refused at first: some objects are only let in once a controller has seen
 * those that came before them.
 */
async function writeAll(
  { terminal, session }: Restoring,
  restorer: Restorer,
  work: readonly RestoreStep[],
): Promise<void> {
  let open = work;
  let troubles: readonly Trouble[] = [];
  for (let idle = 0; open.length > 0 && idle < idleRounds;) {
    if (idle > 0) await sleep(terminal.clock, pauseMs, session.signal);
    const failed: { step: RestoreStep; trouble: Trouble }[] = [];
    for (const step of open) {
      const trouble = await restorer.doStep(step);
      if (trouble !== undefined) failed.push({ step, trouble });
    }
    idle = failed.length < open.length ? 0 : idle + 1;
    open = failed.map(({ step }) => step);
    troubles = failed.map(({ trouble }) => trouble);
  }
  terminal.say(`${work.length - open.length} of ${work.length} objects were written.`);
  const lost = new Set(restorer.lostOwners);
  if (lost.size > 0) terminal.say(`Without an owner, as it is not here: ${nameSome([...lost])}.`);
  if (restorer.notHandedOver.length > 0) terminal.say(`Could not be handed over: ${nameSome(restorer.notHandedOver)}.`);
  if (open.length === 0) return;
  throw new Unavailable([`${open.length} objects were not written`, ...troubles.map(lineOf)].join("\n"), {
    hint: "Put the causes right and run the same command again: what is there already stays as it is.",
  });
}

function lineOf({ id, message }: Trouble): string {
  return `  ${id}: ${message}`;
}
