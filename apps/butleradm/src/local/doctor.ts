import { QuietFailure, type Terminal, withExamples } from "@butler/cli-kit";
import { Command } from "commander";
import { openEngine } from "./open-engine.ts";

/** `butleradm local doctor`. */
export function doctorCommand(terminal: Terminal): Command {
  const command = new Command("doctor")
    .description("Check whether the engine can run on this machine; exit with code 1 if it cannot")
    .action(async (_options, self: Command) => {
      const engine = await openEngine(terminal, self);
      const obstacles = await engine.diagnose();
      for (const { what, remedy } of obstacles) terminal.print(`${what}\n  ${remedy}`);
      if (obstacles.length > 0) throw new QuietFailure();
      terminal.print("the engine can run on this machine");
    });
  return withExamples(command, ["butleradm local doctor"]);
}
