import { type Terminal, withExamples } from "@butler/cli-kit";
import { Command } from "commander";
import { openEngine } from "./open-engine.ts";

/** `butleradm local up`. */
export function upCommand(terminal: Terminal): Command {
  const { say, print, signal } = terminal;
  const command = new Command("up")
    .description("Start the engine, or complete and repair one that is there")
    .option("--verify", "check every file of the engine's programs first", false)
    .action(async ({ verify }: { verify: boolean }, self: Command) => {
      const engine = await openEngine(terminal, self);
      await engine.up({ verify }).catch((error: unknown) => {
        const again = engine.name === "local" ? "" : ` --name ${engine.name}`;
        if (signal.aborted) {
          say(`What was started goes on. "butleradm local up${again}" completes it, "... down${again}" stops it.`);
        }
        throw error;
      });
      say(`\nThe engine ${engine.name} is up. Use it with:\n`);
      print(`export KUBECONFIG=${engine.paths.kubeconfig}`);
    });
  return withExamples(command, ["butleradm local up", "butleradm local up --name second --verify"]);
}

/** `butleradm local down`. */
export function downCommand(terminal: Terminal): Command {
  const command = new Command("down")
    .description("Stop the engine; its data is kept")
    .action(async (_options, self: Command) => {
      const engine = await openEngine(terminal, self);
      const hadEngine = engine.exists;
      await engine.down();
      terminal.say(hadEngine ? "stopped; all data is kept" : `there is no engine ${engine.name} in ${engine.home}`);
    });
  return withExamples(command, ["butleradm local down"]);
}

/** `butleradm local reset`. */
export function resetCommand(terminal: Terminal): Command {
  const command = new Command("reset")
    .description("Stop the engine and remove it with all of its data")
    .action(async (_options, self: Command) => {
      const engine = await openEngine(terminal, self);
      const hadEngine = engine.exists;
      await engine.reset();
      terminal.say(
        hadEngine ? "removed" : `there is no engine ${engine.name} in ${engine.home}; nothing is left of it`,
      );
    });
  return withExamples(command, ["butleradm local reset"]);
}
