import type { TeamMember } from "@butler/access";
import type { ObjectView, Terminal } from "@butler/cli-kit";
import { inSession } from "@butler/cli-session";
import type { Command } from "commander";
import { withRowsOptions } from "../rows-command.ts";
import { type RowsOptions, showRows } from "../show-rows.ts";
import { namedTeam, teamCommand, type TeamOptions } from "./arguments.ts";
import { teamChanges } from "./list.ts";
import { readMembers, requireTeam } from "./team-source.ts";

interface MembersOptions extends TeamOptions, RowsOptions {}

/** `butlerctl team members`. */
export function membersCommand(terminal: Terminal): Command {
  const command = teamCommand("members", "List the members of a team, their roles, and the source of each role", [
    "butlerctl team members payments",
    "butlerctl team members payments -o wide",
  ]);
  return withRowsOptions(command).action(
    inSession<MembersOptions>(terminal, async (session, options, name?: string) => {
      const team = requireTeam(session, namedTeam(name, options));
      await showRows(terminal, options, {
        view: membersView,
        read: () => readMembers(session, team),
        idOf: ({ email }) => email,
        changes: (signal) => teamChanges(session, terminal, signal),
        nothing: `No members found in team ${team}.`,
      });
    }),
  );
}

const sources = { direct: "direct", group: "group", elevated: "direct, overrides the group role" } as const;

const membersView: ObjectView<TeamMember> = {
  nameOf: ({ email }) => email,
  columns: [
    { title: "EMAIL", value: ({ email }) => email },
    { title: "ROLE", value: ({ role }) => role },
    { title: "SOURCE", value: ({ source }) => sources[source] },
    { title: "GROUP", value: ({ groupName }) => groupName ?? "-", isWide: true },
    { title: "NAME", value: ({ name, email }) => (name === email ? "-" : name), isWide: true },
  ],
};
