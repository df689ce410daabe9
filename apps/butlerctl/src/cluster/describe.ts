import { outputOption, renderValue, type Terminal } from "@butler/cli-kit";
import type { Command } from "commander";
import { clusterCommand, type ClusterOptions } from "./arguments.ts";
import { describeFacts } from "./describe-facts.ts";
import { onCluster } from "./on-cluster.ts";
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
    .action(
      onCluster<DescribeOptions>(terminal, async (session, cluster, options) => {
        const facts = await readFacts(session, cluster, terminal.clock.now());
        if (options.output === "table") terminal.print(describeFacts(facts, terminal.paint).join("\n"));
        else terminal.print(renderValue(facts, options.output));
      }),
    );
}
