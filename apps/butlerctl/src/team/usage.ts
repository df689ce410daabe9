import type { TeamUsage } from "@butler/access";
import { effectiveLimits } from "@butler/api";
import {
  type Column,
  isDataFormat,
  type OutputFormat,
  outputOption,
  type Paint,
  renderTable,
  renderValue,
  type Terminal,
} from "@butler/cli-kit";
import { inSession } from "@butler/cli-session";
import type { Command } from "commander";
import { namedTeam, teamCommand, type TeamOptions } from "./arguments.ts";
import type { TeamRow } from "./team-row.ts";
import { readUsage, requireTeam } from "./team-source.ts";

interface UsageOptions extends TeamOptions {
  readonly output: OutputFormat;
}

/** `butlerctl team usage`. */
export function usageCommand(terminal: Terminal): Command {
  return teamCommand("usage", "Show a team's usage and limits", [
    "butlerctl team usage payments",
    "butlerctl team usage payments -o json",
  ])
    .addOption(outputOption(["table", "json", "yaml"]))
    .action(
      inSession<UsageOptions>(terminal, async (session, options, name?: string) => {
        const team = requireTeam(session, namedTeam(name, options));
        const { usage, limits } = await readUsage(session, team);
        if (isDataFormat(options.output)) terminal.print(renderValue({ team, ...usage, limits }, options.output));
        else terminal.print(renderUsage(usageRows(usage, limits), usage, terminal.paint));
      }),
    );
}

/** Usage of one resource. */
export interface UsageRow {
  readonly what: string;
  readonly used: string;
  readonly limit: string | undefined;
  readonly percent: number | undefined;
}

/** Usage and limit of each resource. */
export function usageRows(usage: TeamUsage, limits: TeamRow["limits"]): UsageRow[] {
  const known: Partial<ReturnType<typeof effectiveLimits>> = limits === undefined ? {} : effectiveLimits(limits);
  const { percent } = usage;
  const text = (value: string | number | undefined): string | undefined =>
    value === undefined ? undefined : String(value);
  return [
    { what: "clusters", used: String(usage.clusters), limit: text(known.maxClusters), percent: percent.clusters },
    { what: "workers", used: String(usage.nodes), limit: text(known.maxTotalNodes), percent: percent.nodes },
    { what: "CPU cores", used: usage.cpu, limit: text(known.maxCPUCores), percent: percent.cpu },
    { what: "memory", used: usage.memory, limit: text(known.maxMemory), percent: percent.memory },
    { what: "disk", used: usage.storage, limit: text(known.maxStorage), percent: percent.storage },
  ];
}

const columns: readonly Column<UsageRow>[] = [
  { title: "RESOURCE", value: ({ what }) => what },
  { title: "IN USE", value: ({ used }) => used },
  // A percentage without a limit of the team's own comes from the platform's limit for teams.
  { title: "LIMIT", value: ({ limit, percent }) => limit ?? (percent === undefined ? "no limit" : "platform default") },
  {
    title: "USAGE",
    value: ({ percent }) => (percent === undefined ? "-" : `${percent}%`),
    style: ({ percent = 0 }) => (percent >= 100 ? "bad" : percent >= 80 ? "busy" : undefined),
  },
];

function renderUsage(rows: readonly UsageRow[], { status, message }: TeamUsage, paint: Paint): string {
  const style = { OK: "good", Warning: "busy", Exceeded: "bad" } as const;
  return [...renderTable(columns, rows, { paint }), "", `${paint(style[status], status)}: ${message}`].join("\n");
}
