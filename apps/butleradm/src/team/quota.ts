import { clustersOfTeam } from "@butler/administration";
import { ButlerConfig, butlerConfigName, Team, TenantCluster } from "@butler/api";
import {
  type Column,
  outputOption,
  renderTable,
  renderValue,
  type Terminal,
  wholeNumber,
  withExamples,
} from "@butler/cli-kit";
import { readList, type Session, type SessionOptions, withSession } from "@butler/cli-session";
import { parseQuantity } from "@butler/std";
import { Command, InvalidArgumentError, Option } from "commander";
import { repeated } from "../common/words.ts";
import { changeFromCurrent } from "../common/writing.ts";
import { requireTeam } from "./find-team.ts";
import {
  changesLimits,
  type LimitName,
  limitFields,
  planLimits,
  type QuotaReport,
  quotaReport,
  type QuotaRow,
  type WantedLimits,
} from "./quota-plan.ts";

interface QuotaOptions extends SessionOptions {
  readonly clusters?: number;
  readonly nodes?: number;
  readonly nodesPerCluster?: number;
  readonly cpu?: string;
  readonly memory?: string;
  readonly storage?: string;
  readonly unlimited?: readonly LimitName[];
  readonly dryRun?: boolean;
  readonly output: "table" | "json" | "yaml";
}

const limitNames = Object.keys(limitFields) as LimitName[];

/** `butleradm team quota`. */
export function quotaCommand(terminal: Terminal): Command {
  const whole = wholeNumber(0, 1_000_000);
  const command = new Command("quota")
    .description("Show how much a team uses of what it may, and change what it may")
    .argument("<team>", "name of the team")
    .addOption(new Option("--clusters <number>", "clusters that the team may have").argParser(whole))
    .addOption(new Option("--nodes <number>", "worker machines over all clusters").argParser(whole))
    .addOption(new Option("--nodes-per-cluster <number>", "worker machines of one cluster").argParser(whole))
    .addOption(new Option("--cpu <cores>", "processor cores over all clusters").argParser(amount))
    .addOption(new Option("--memory <amount>", "memory over all clusters, such as 256Gi").argParser(amount))
    .addOption(new Option("--storage <amount>", "disk space over all clusters, such as 2Ti").argParser(amount))
    .addOption(
      new Option("--unlimited <what>", `what shall have no limit: ${limitNames.join(", ")}; may be repeated`).argParser(
        limitName,
      ),
    )
    .option("--dry-run", "show what it would come to, and change nothing")
    .addOption(outputOption(["table", "json", "yaml"]))
    .action(async (name: string, _options, self: Command) => {
      const options = self.optsWithGlobals<QuotaOptions>();
      await withSession(terminal, options, (session) => showQuota({ terminal, session, options }, name));
    });
  return withExamples(command, [
    "butleradm team quota payments",
    "butleradm team quota payments --clusters 5 --cpu 64 --memory 256Gi",
    "butleradm team quota payments --unlimited storage",
  ]);
}

interface Working {
  readonly terminal: Terminal;
  readonly session: Session;
  readonly options: QuotaOptions;
}

async function showQuota({ terminal, session, options }: Working, name: string): Promise<void> {
  const { dryRun, output } = options;
  const wanted = wantedLimits(options);
  let team = await requireTeam(session, name);
  if (changesLimits(wanted)) {
    team = await changeFromCurrent(session, Team, { key: { name }, decide: () => planLimits(wanted), dryRun });
    terminal.say(`The limits of the team ${name} ${dryRun ? "would be these (dry run)" : "are changed"}.`);
  }
  const { client, signal } = session;
  const config = await client.find(ButlerConfig, { name: butlerConfigName }, signal);
  const clusters = clustersOfTeam(team, await readList(session, TenantCluster, {}));
  const report = quotaReport(team, { clusters, config });
  if (output === "table") for (const line of quotaLines(report)) terminal.print(line);
  else terminal.print(renderValue({ team: name, ...report }, output));
}

function wantedLimits(options: QuotaOptions): WantedLimits {
  const { clusters, nodes, cpu, memory, storage, unlimited = [] } = options;
  return { limits: { clusters, nodes, "nodes-per-cluster": options.nodesPerCluster, cpu, memory, storage }, unlimited };
}

const columns: readonly Column<QuotaRow>[] = [
  { title: "WHAT", value: ({ name }) => name },
  { title: "USED", value: ({ used }) => used },
  { title: "LIMIT", value: ({ limit }) => limit },
  { title: "PERCENT", value: ({ percent }) => (percent === undefined ? "-" : `${percent}%`) },
];

function quotaLines({ rows, nodesPerCluster, message }: QuotaReport): string[] {
  const perCluster = nodesPerCluster === undefined ? [] : [`One cluster has at most ${nodesPerCluster} nodes.`];
  return [...renderTable(columns, rows), "", ...perCluster, `In all: ${message}.`];
}

function amount(word: string): string {
  try {
    if (parseQuantity(word) >= 0n) return word;
  } catch {
    // The sentence below says it for options.
  }
  throw new InvalidArgumentError("It takes an amount such as 64 or 256Gi.");
}

function limitName(word: string, before: readonly string[] | undefined): readonly string[] {
  if (Object.hasOwn(limitFields, word)) return repeated(word, before);
  throw new InvalidArgumentError(`It takes one of ${limitNames.join(", ")}.`);
}
