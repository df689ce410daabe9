import { type Terminal, withExamples } from "@butler/cli-kit";
import { Command } from "commander";
import { openEngine } from "./open-engine.ts";

/** `butleradm local reset`. */
export function resetCommand(terminal: Terminal): Command {
  const command = new Command("reset")
    .description("Stop the engine and delete all of its data")
    .action(async (_options, self: Command) => {
      const engine = await openEngine(terminal, self);
      const hadEngine = engine.exists;
      await engine.reset();
      terminal.say(hadEngine ? "removed" : `engine ${engine.name} not found in ${engine.home}; nothing to remove`);
    });
  return withExamples(command, ["butleradm local reset"]);
}
