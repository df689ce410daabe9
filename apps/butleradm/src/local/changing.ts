import { type Terminal, withExamples } from "@butler/cli-kit";
import { Command } from "commander";
import { openEngine } from "./open-engine.ts";

/** `butleradm local up`. */
export function upCommand(terminal: Terminal): Command {
  const { say, print, signal } = terminal;
  const command = new Command("up")
    .description("Start the engine, or repair an existing one")
    .option("--verify", "verify every file of the engine's programs first", false)
    .action(async ({ verify }: { verify: boolean }, self: Command) => {
      const engine = await openEngine(terminal, self);
      await engine.up({ verify }).catch((error: unknown) => {
        const again = engine.name === "local" ? "" : ` --name ${engine.name}`;
        if (signal.aborted) {
          say(`Started components keep running. "butleradm local up${again}" resumes, "... down${again}" stops them.`);
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
    .description("Stop the engine and keep its data")
    .action(async (_options, self: Command) => {
      const engine = await openEngine(terminal, self);
      const hadEngine = engine.exists;
      await engine.down();
      terminal.say(hadEngine ? "stopped; all data is kept" : `engine ${engine.name} not found in ${engine.home}`);
    });
  return withExamples(command, ["butleradm local down"]);
}

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
