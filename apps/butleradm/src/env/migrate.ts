import {
  outputOption,
  type OutputFormat,
  renderObjects,
  type Terminal,
  UsageError,
  withExamples,
} from "@butler/cli-kit";
import { type Session, type SessionOptions, withSession } from "@butler/cli-session";
import { builtinKinds } from "@butler/resource";
import { Conflict } from "@butler/std";
import { Command, Option } from "commander";
import { readText } from "../common/secret-input.ts";
import { counted, repeated } from "../common/words.ts";
import { isListed, isUnmoved, type ReportRow, reportView } from "./report.ts";
import { parseRulesFile, parseRuleWord, type Rule } from "./rules.ts";
import { runMigration } from "./run-migration.ts";
import { runUndo } from "./run-undo.ts";

interface MigrateOptions extends SessionOptions {
  readonly rule?: readonly string[];
  readonly rules?: string;
  readonly team?: string;
  readonly relabel?: boolean;
  readonly apply?: boolean;
  readonly undo?: string;
  readonly undoFile: string;
  readonly output: OutputFormat;
}

/** `butleradm env migrate`. */
export function migrateCommand(terminal: Terminal): Command {
  const command = new Command("migrate")
    .description("Move clusters into team environments based on rules; without --apply, only print the plan")
    .addOption(
      new Option(
        "--rule <rule>",
        "rule as ENVIRONMENT=CONDITION,... with conditions name:PATTERN, namespace:PATTERN, team:PATTERN or label:KEY=PATTERN; may be repeated",
      ).argParser(repeated),
    )
    .option("--rules <file>", "file with rules, or - for standard input")
    .option("--team <team>", "move only clusters of this team")
    .option("--relabel", "also move clusters that are in another environment")
    .option("--apply", "apply the changes")
    .option("--undo-file <file>", "file to record moves in, for use with --undo", "env-migration.undo")
    .option("--undo <file>", "undo the moves recorded in a file; without --apply, only print the plan")
    .addOption(outputOption(["table", "json", "yaml"]))
    .action(async (_options, self: Command) => {
      const options = self.optsWithGlobals<MigrateOptions>();
      const rules = await readRules(terminal, options);
      await withSession(terminal, options, async (session) => {
        const rows = await run({ terminal, session, options }, rules);
        report(terminal, rows, options);
      });
    });
  return withExamples(command, [
    "butleradm env migrate --rule prod=name:prod-* --rule dev=name:dev-*",
    "butleradm env migrate --rules environments.yaml --team payments --apply",
    "butleradm env migrate --undo env-migration.undo --apply",
  ]);
}

async function readRules(terminal: Terminal, options: MigrateOptions): Promise<readonly Rule[]> {
  const { rule = [], rules: file, undo } = options;
  const isRuled = rule.length > 0 || file !== undefined;
  if (undo !== undefined && isRuled) {
    throw new UsageError("--undo cannot be combined with --rule or --rules", {
      hint: "Pass either --undo or rules, not both.",
    });
  }
  if (undo === undefined && !isRuled) {
    throw new UsageError("no rules given", { hint: "Pass --rule prod=name:prod-* or --rules FILE." });
  }
  const fromFile = file === undefined ? [] : parseRulesFile(file, await readText(terminal, file));
  return [...fromFile, ...rule.map(parseRuleWord)];
}

interface Working {
  readonly terminal: Terminal;
  readonly session: Session;
  readonly options: MigrateOptions;
}

async function run({ terminal, session, options }: Working, rules: readonly Rule[]): Promise<readonly ReportRow[]> {
  const { apply = false, relabel = false, team, undo, undoFile } = options;
  const { client, signal } = session;
  const { metadata } = await client.get(builtinKinds.Namespace, { name: "kube-system" }, signal);
  const work = { terminal, session, apply, platform: metadata.uid ?? "" };
  if (undo !== undefined) return runUndo(work, undo);
  return runMigration(work, { rules, relabel, team, undoFile });
}

function report(terminal: Terminal, rows: readonly ReportRow[], options: MigrateOptions): void {
  const { output: format, apply = false } = options;
  const shown = format === "table" ? rows.filter(isListed) : rows;
  const text = renderObjects(reportView, shown, { format, paint: terminal.paint });
  if (text !== "") terminal.print(text);
  const count = (state: string): number => rows.filter((row) => row.state === state).length;
  const moved = apply
    ? `${counted(count("moved"), "cluster")} moved`
    : `${counted(count("would move"), "cluster")} would move`;
  terminal.say(`${moved}; ${counted(count("there"), "cluster is", "clusters are")} already in place.`);
  if (!apply && count("would move") > 0) terminal.say("Nothing was changed. Add --apply to move them.");
  const unmoved = rows.filter(isUnmoved).length;
  if (unmoved === 0) return;
  throw new Conflict(`${counted(unmoved, "cluster was", "clusters were")} not moved`, {
    hint: "The NOTE column shows the reasons. Completed moves are kept; fix the causes and run the same command again.",
  });
}
