import { NetworkPool } from "@butler/api";
import { type OutputFormat, outputOption, renderObjects, type Terminal, withExamples } from "@butler/cli-kit";
import { readList, type SessionOptions, withSession } from "@butler/cli-session";
import { keyText } from "@butler/resource";
import { Command } from "commander";
import { poolView } from "./pool-view.ts";

interface ListOptions extends SessionOptions {
  readonly namespace?: string;
  readonly output: OutputFormat;
  readonly headers: boolean;
}

/** `butleradm network list`. */
export function listCommand(terminal: Terminal): Command {
  const command = new Command("list")
    .alias("ls")
    .description("List the network pools and their usage")
    .option("-n, --namespace <namespace>", "namespace of the pools (default: all namespaces)")
    .addOption(outputOption())
    .option("--no-headers", "omit table headers")
    .action(async (_options, self: Command) => {
      const options = self.optsWithGlobals<ListOptions>();
      await withSession(terminal, options, async (session) => {
        const pools = await readList(session, NetworkPool, { namespace: options.namespace });
        pools.sort((left, right) => (keyText(left.metadata) < keyText(right.metadata) ? -1 : 1));
        const view = poolView(() => terminal.clock.now());
        const { output: format, headers: hasHeader } = options;
        const text = renderObjects(view, pools, { format, hasHeader, paint: terminal.paint });
        if (text !== "") terminal.print(text);
        else terminal.say("No network pools found. Create one with: butleradm network create");
      });
    });
  return withExamples(command, ["butleradm network list", "butleradm network list -o wide"]);
}
