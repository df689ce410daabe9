import type { Terminal } from "@butler/cli-kit";
import { Command } from "commander";
import { listCommand } from "./list.ts";
import { releaseCommand } from "./release.ts";

/** `butleradm network allocations`, with all of its commands. */
export function allocationsGroup(terminal: Terminal): Command {
  const group = new Command("allocations").alias("allocation").description("List and release address allocations");
  for (const command of [listCommand, releaseCommand]) group.addCommand(command(terminal));
  return group;
}
