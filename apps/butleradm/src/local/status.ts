import {
  type OutputFormat,
  outputOption,
  QuietFailure,
  isDataFormat,
  renderValue,
  type Terminal,
  withExamples,
} from "@butler/cli-kit";
import { Command } from "commander";
import { openEngine } from "./open-engine.ts";
import { renderState } from "./render-state.ts";

/** `butleradm local status`. */
export function statusCommand(terminal: Terminal): Command {
  const command = new Command("status")
    .description("Show the status of the engine; exit with code 1 if there are problems")
    .addOption(outputOption(["table", "json", "yaml"]))
    .action(async ({ output }: { output: OutputFormat }, self: Command) => {
      const engine = await openEngine(terminal, self);
      const { serverAddress } = await import("./server-address.ts");
      const known = await engine.state();
      const server = known.services.length > 0 ? await serverAddress(engine) : undefined;
      const state = { ...known, server, console: server };
      terminal.print(isDataFormat(output) ? renderValue(state, output) : renderState(state));
      const isReady = state.services.length > 0 && state.services.every((service) => service.state === "Ready");
      if (!isReady || state.troubles.length > 0) throw new QuietFailure();
    });
  return withExamples(command, ["butleradm local status", "butleradm local status -o json"]);
}
