import { type Terminal, wholeNumber, withExamples } from "@butler/cli-kit";
import { Command } from "commander";
import { openEngine } from "./open-engine.ts";

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
