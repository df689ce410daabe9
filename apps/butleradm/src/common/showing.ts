import { outputOption, renderValue, type Terminal } from "@butler/cli-kit";
import { inSession, type Session, type SessionOptions } from "@butler/cli-session";
import type { Command } from "commander";

interface ShowOptions extends SessionOptions {
  readonly output: "table" | "json" | "yaml";
}

/** One object, and the lines that describe it. */
interface Details {
  readonly object: unknown;
  readonly lines: () => readonly string[] | Promise<readonly string[]>;
}

/** Makes a command show one object: described in lines, or as it is with `--output`. */
export function asDetails(
  command: Command,
  terminal: Terminal,
  read: (session: Session, name: string) => Promise<Details>,
): Command {
  return command.addOption(outputOption(["table", "json", "yaml"])).action(
    inSession<ShowOptions>(terminal, async (session, { output }, name) => {
      const { object, lines } = await read(session, name);
      if (output !== "table") terminal.print(renderValue(object, output));
      else for (const line of await lines()) terminal.print(line);
    }),
  );
}
