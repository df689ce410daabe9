import { Team } from "@butler/api";
import { type Terminal, withExamples } from "@butler/cli-kit";
import { type Session, type SessionOptions, withSession } from "@butler/cli-session";
import { Forbidden } from "@butler/std";
import { Command } from "commander";
import { withRowsOptions } from "../rows-command.ts";
import { changesOf, everySoOften, type RowsOptions, showRows } from "../show-rows.ts";
import { teamsView } from "./team-row.ts";
import { readTeams } from "./team-source.ts";

const intervalMs = 2_000;

/** `butlerctl team list`. */
export function listCommand(terminal: Terminal): Command {
  const command = withRowsOptions(new Command("list").alias("ls").description("List the teams you can access"));
  command.action(async (_options, self: Command) => {
    const options = self.optsWithGlobals<SessionOptions & RowsOptions>();
    await withSession(terminal, options, (session) =>
      showRows(terminal, options, {
        view: teamsView(() => terminal.clock.now()),
        read: () => readTeams(session),
        idOf: ({ name }) => name,
        changes: (signal) => teamChanges(session, terminal, signal),
        nothing: "You are not a member of any team.",
      }),
    );
  });
  return withExamples(command, ["butlerctl team list", "butlerctl team list -o wide", "butlerctl team list --watch"]);
}

/** Watches teams, or polls them without permission to watch. */
export async function* teamChanges(
  session: Session,
  { clock }: Terminal,
  signal: AbortSignal,
): AsyncGenerator<undefined> {
  try {
    await session.client.list(Team, { limit: 1, signal });
  } catch (error) {
    if (!(error instanceof Forbidden)) throw error;
    yield* everySoOften(clock, intervalMs, signal);
    return;
  }
  yield* changesOf(session.client, [{ kind: Team, scope: {} }], signal);
}
