import {
  type OutputFormat,
  outputOption,
  QuietFailure,
  isDataFormat,
  renderValue,
  type Terminal,
  wholeNumber,
  withExamples,
} from "@butler/cli-kit";
import { Command } from "commander";
import { openEngine } from "./open-engine.ts";
import { renderState } from "./render-state.ts";

/** `butleradm local status`. */
export function statusCommand(terminal: Terminal): Command {
  const command = new Command("status")
    .description("Show the status of the engine; exits with 1 if there are problems")
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

interface LogsOptions {
  readonly follow: boolean;
  readonly lines: number;
}

/** `butleradm local logs`. */
export function logsCommand(terminal: Terminal): Command {
  const { print, signal } = terminal;
  const command = new Command("logs")
    .description("Print the logs of the engine's components")
    .argument("[component...]", "components such as etcd (default: all)")
    .option("-f, --follow", "stream new lines", false)
    .option("--lines <number>", "number of recent lines to print per component", wholeNumber(0, 1_000_000), 100)
    .action(async (named: readonly string[], { follow, lines }: LogsOptions, self: Command) => {
      const engine = await openEngine(terminal, self);
      const components = named.length > 0 ? named : (await engine.state()).services.map((service) => service.name);
      for (const component of components) {
        for await (const line of engine.logs(component, { follow, lines, signal })) {
          print(components.length > 1 ? `${component}: ${line}` : line);
        }
      }
    });
  return withExamples(command, ["butleradm local logs kube-apiserver --follow"]);
}

/** `butleradm local doctor`. */
export function doctorCommand(terminal: Terminal): Command {
  const command = new Command("doctor")
    .description("Check whether the engine can run on this machine; exits with 1 if it cannot")
    .action(async (_options, self: Command) => {
      const engine = await openEngine(terminal, self);
      const obstacles = await engine.diagnose();
      for (const { what, remedy } of obstacles) terminal.print(`${what}\n  ${remedy}`);
      if (obstacles.length > 0) throw new QuietFailure();
      terminal.print("the engine can run on this machine");
    });
  return withExamples(command, ["butleradm local doctor"]);
}
