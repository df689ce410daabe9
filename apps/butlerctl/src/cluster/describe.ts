import { outputOption, renderValue, type Terminal } from "@butler/cli-kit";
import type { Command } from "commander";
import { withSession } from "@butler/cli-session";
import { clusterCommand, type ClusterOptions, requireName } from "./arguments.ts";
import { describeFacts } from "./describe-facts.ts";
import { findCluster } from "./find-cluster.ts";
import { readFacts } from "@butler/diagnosis";

interface DescribeOptions extends ClusterOptions {
  readonly output: "table" | "json" | "yaml";
}

/** `butlerctl cluster describe`. */
export function describeCommand(terminal: Terminal): Command {
  return clusterCommand("describe", "Show details of a cluster, including its machines", [
    "butlerctl cluster describe blue",
    "butlerctl cluster describe blue -o json",
  ])
    .addOption(outputOption(["table", "json", "yaml"]))
    .action(async (name: string | undefined, _options, self: Command) => {
      const options = self.optsWithGlobals<DescribeOptions>();
      const wanted = { ...options, name: requireName(name, options) };
      await withSession(terminal, options, async (session) => {
        const cluster = await findCluster(session, wanted);
        const facts = await readFacts(session, cluster, terminal.clock.now());
        if (options.output === "table") terminal.print(describeFacts(facts, terminal.paint).join("\n"));
        else terminal.print(renderValue(facts, options.output));
      });
    });
}
