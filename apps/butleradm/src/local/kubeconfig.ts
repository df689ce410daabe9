import { type Terminal, withExamples } from "@butler/cli-kit";
import { Command } from "commander";
import { openEngine } from "./open-engine.ts";

/** `butleradm local kubeconfig`. */
export function kubeconfigCommand(terminal: Terminal): Command {
  const command = new Command("kubeconfig")
    .description("Print the path of the engine's kubeconfig")
    .action(async (_options, self: Command) => {
      const engine = await openEngine(terminal, self);
      terminal.print(engine.paths.kubeconfig);
    });
  return withExamples(command, ['export KUBECONFIG="$(butleradm local kubeconfig)"']);
}
