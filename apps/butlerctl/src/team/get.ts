import {
  type Fact,
  factLines,
  isDataFormat,
  type OutputFormat,
  outputOption,
  type Paint,
  renderRows,
  renderValue,
  section,
  type Terminal,
} from "@butler/cli-kit";
import { withSession } from "@butler/cli-session";
import type { Command } from "commander";
import { namedTeam, teamCommand, type TeamOptions } from "./arguments.ts";
import { environmentsView, type TeamRow, teamsView } from "./team-row.ts";
import { readTeam, requireTeam } from "./team-source.ts";

interface GetOptions extends TeamOptions {
  readonly output: OutputFormat;
}

/** `butlerctl team get`. */
export function getCommand(terminal: Terminal): Command {
  return teamCommand("get", "Show a team with its limits and environments", [
    "butlerctl team get payments",
    "butlerctl team get payments -o yaml",
  ])
    .addOption(outputOption(["table", "json", "yaml", "name"]))
    .action(async (name: string | undefined, _options, self: Command) => {
      const options = self.optsWithGlobals<GetOptions>();
      const team = await withSession(terminal, options, (session) =>
        readTeam(session, requireTeam(session, namedTeam(name, options))),
      );
      const { output } = options;
      if (isDataFormat(output)) terminal.print(renderValue(team, output));
      else if (output === "name") terminal.print(teamsView(() => terminal.clock.now()).nameOf(team));
      else terminal.print(describeTeam(team, terminal.paint).join("\n"));
    });
}

/** A team as text. */
export function describeTeam(team: TeamRow, paint: Paint): string[] {
  const facts: readonly Fact[] = [
    ["Name", team.name],
    ["Title", team.displayName === team.name ? undefined : team.displayName],
    ["Description", team.description],
    ["Namespace", team.namespace],
    ["Phase", paint(team.phase === "Ready" ? "good" : undefined, team.phase)],
    ["Your role", team.role],
    ["Clusters", team.clusters === undefined ? undefined : String(team.clusters)],
    ["Members", `${team.members} named, ${team.groups} group${team.groups === 1 ? "" : "s"}`],
    ["Quota", team.quota],
  ];
  const limits = Object.entries(team.limits ?? {}).map(([name, value]): Fact => [name, limitText(value)]);
  const environments = renderRows(environmentsView({ hasTeam: false }).columns, team.environments, { paint });
  return [
    ...factLines(facts, 13),
    ...section("Limits", factLines(limits, 27)),
    ...section("Environments", environments),
  ];
}

function limitText(value: unknown): string | undefined {
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.join(", ");
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}
