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
import { inSession, readList, type Session, type SessionOptions } from "@butler/cli-session";
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
    .description("Show or change a team's quota")
    .argument("<team>", "name of the team")
    .addOption(new Option("--clusters <number>", "maximum number of clusters").argParser(whole))
    .addOption(new Option("--nodes <number>", "maximum number of worker machines across all clusters").argParser(whole))
    .addOption(
      new Option("--nodes-per-cluster <number>", "maximum number of worker machines per cluster").argParser(whole),
    )
    .addOption(new Option("--cpu <cores>", "maximum number of CPU cores across all clusters").argParser(amount))
    .addOption(new Option("--memory <amount>", "maximum memory across all clusters, such as 256Gi").argParser(amount))
    .addOption(
      new Option("--storage <amount>", "maximum disk space across all clusters, such as 2Ti").argParser(amount),
    )
    .addOption(
      new Option("--unlimited <what>", `limit to remove: ${limitNames.join(", ")}; may be repeated`).argParser(
        limitName,
      ),
    )
    .option("--dry-run", "print the resulting quota without changing anything")
    .addOption(outputOption(["table", "json", "yaml"]))
    .action(
      inSession<QuotaOptions>(terminal, (session, options, name) => showQuota({ terminal, session, options }, name)),
    );
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
    terminal.say(`Limits for team ${name} ${dryRun ? "would be updated (dry run)" : "were updated"}.`);
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
  { title: "RESOURCE", value: ({ name }) => name },
  { title: "USED", value: ({ used }) => used },
  { title: "LIMIT", value: ({ limit }) => limit },
  { title: "PERCENT", value: ({ percent }) => (percent === undefined ? "-" : `${percent}%`) },
];

function quotaLines({ rows, nodesPerCluster, message }: QuotaReport): string[] {
  const perCluster = nodesPerCluster === undefined ? [] : [`Maximum per cluster: ${nodesPerCluster} nodes.`];
  return [...renderTable(columns, rows), "", ...perCluster, `Total: ${message}.`];
}

function amount(word: string): string {
  try {
    if (parseQuantity(word) >= 0n) return word;
  } catch {
    // The error below is worded for options.
  }
  throw new InvalidArgumentError("Must be a quantity such as 64 or 256Gi.");
}

function limitName(word: string, before: readonly string[] | undefined): readonly string[] {
  if (Object.hasOwn(limitFields, word)) return repeated(word, before);
  throw new InvalidArgumentError(`Must be one of ${limitNames.join(", ")}.`);
}
