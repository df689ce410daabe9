import { type Terminal, withExamples } from "@butler/cli-kit";
import { Command } from "commander";
import { openEngine } from "./open-engine.ts";

/** `butleradm local down`. */
export function downCommand(terminal: Terminal): Command {
  const command = new Command("down")
    .description("Stop the engine and keep its data")
    .action(async (_options, self: Command) => {
      const engine = await openEngine(terminal, self);
      const hadEngine = engine.exists;
      await engine.down();
      terminal.say(hadEngine ? "stopped; all data is kept" : `engine ${engine.name} not found in ${engine.home}`);
    });
  return withExamples(command, ["butleradm local down"]);
}
