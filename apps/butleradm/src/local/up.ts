import { type Terminal, withExamples } from "@butler/cli-kit";
import { Command } from "commander";
import { openEngine } from "./open-engine.ts";

/** `butleradm local up`. */
export function upCommand(terminal: Terminal): Command {
  const { say, print, signal } = terminal;
  const command = new Command("up")
    .description("Start the engine, or repair an existing one")
    .option("--verify", "verify all engine files before starting", false)
    .action(async ({ verify }: { verify: boolean }, self: Command) => {
      const engine = await openEngine(terminal, self);
      await engine.up({ verify }).catch((error: unknown) => {
        const again = engine.name === "local" ? "" : ` --name ${engine.name}`;
        if (signal.aborted) {
          say(
            `Components that have started keep running. Resume with "butleradm local up${again}", or stop them with "butleradm local down${again}".`,
          );
        }
        throw error;
      });
      say(`\nThe engine ${engine.name} is up. Use it with:\n`);
      print(`export KUBECONFIG=${engine.paths.kubeconfig}`);
    });
  return withExamples(command, ["butleradm local up", "butleradm local up --name second --verify"]);
}
