import type { Terminal } from "@butler/cli-kit";
import { Command } from "commander";
import { listCommand } from "./list.ts";
import { useCommand } from "./use.ts";
import { showCommand } from "./show.ts";

/** `butlerctl context`, with all of its commands. */
export function contextGroup(terminal: Terminal): Command {
  const group = new Command("context").description("Manage kubeconfig contexts for Butler platforms").alias("contexts");
  for (const command of [listCommand, useCommand, showCommand]) group.addCommand(command(terminal));
  return group;
}
