import { outputOption, type Paint, renderValue, type Terminal } from "@butler/cli-kit";
import type { Command } from "commander";
import { clusterCommand, type ClusterOptions } from "./arguments.ts";
import { onCluster } from "./on-cluster.ts";
import { type ClusterFacts, type Diagnosis, readFacts, why } from "@butler/diagnosis";
import { unreadableLines } from "./unreadable-lines.ts";

interface WhyOptions extends ClusterOptions {
  readonly output: "table" | "json" | "yaml";
}

/** `butlerctl cluster why`. */
export function whyCommand(terminal: Terminal): Command {
  return clusterCommand("why", "Explain why a cluster is not ready or not deleted yet, and how to fix it", [
    "butlerctl cluster why blue",
    "butlerctl cluster why blue -o json",
  ])
    .addOption(outputOption(["table", "json", "yaml"]))
    .action(
      onCluster<WhyOptions>(terminal, async (session, cluster, options) => {
        const facts = await readFacts(session, cluster, terminal.clock.now());
        const found = why(facts);
        if (options.output === "table") terminal.print(renderDiagnosis(found, facts, terminal.paint).join("\n"));
        else terminal.print(renderValue(found, options.output));
      }),
    );
}

const styles = { well: "good", busy: "busy", stuck: "bad" } as const;

/** A diagnosis as text: the sentence, the next step, and the chain from the cluster to the cause. */
export function renderDiagnosis(found: Diagnosis, facts: Pick<ClusterFacts, "unreadable">, paint: Paint): string[] {
  const { sentence, nextStep, chain, state } = found;
  const way = chain.map((link, depth) => `  ${"  ".repeat(depth)}${depth === 0 ? "" : "└ "}${link}`);
  return [
    paint(styles[state], sentence),
    `Next: ${nextStep}`,
    ...(state === "well" ? [] : ["", ...way]),
    ...unreadableLines(facts),
  ];
}
