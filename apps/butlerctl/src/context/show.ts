import {
  isDataFormat,
  type OutputFormat,
  outputOption,
  renderObject,
  renderValue,
  type Terminal,
  withExamples,
} from "@butler/cli-kit";
import type { SessionOptions } from "@butler/cli-session";
import { Command } from "commander";
import { readConfigFiles } from "./config-files.ts";
import { contextsIn } from "./kubeconfig-contexts.ts";
import { probe } from "./probe.ts";
import { withoutContext, requireContext } from "./find-context.ts";
import { contextLines, contextView } from "./context-view.ts";

interface ShowOptions extends SessionOptions {
  readonly output: OutputFormat;
}

/** `butlerctl context show`. */
export function showCommand(terminal: Terminal): Command {
  const command = new Command("show")
    .description("Show a context: server, platform, namespace and user")
    .argument("[context]", "name of the context (default: the current context)")
    .addOption(outputOption(["table", "json", "yaml", "name"]))
    .action(async (name: string | undefined, _options, self: Command) => {
      const options = self.optsWithGlobals<ShowOptions>();
      const files = await readConfigFiles(terminal, options.kubeconfig);
      const entry = requireContext(contextsIn(files), name ?? options.context);
      const found = await probe(terminal, withoutContext(options), entry);
      const { output } = options;
      if (isDataFormat(output)) terminal.print(renderValue(found, output));
      else if (output === "name") terminal.print(renderObject(contextView, found, { format: "name" }));
      else terminal.print(contextLines(found).join("\n"));
    });
  return withExamples(command, ["butlerctl context show", "butlerctl context show production -o json"]);
}
