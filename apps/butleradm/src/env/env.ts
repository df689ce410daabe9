import type { Terminal } from "@butler/cli-kit";
import { Command } from "commander";
import { listCommand } from "./list.ts";
import { migrateCommand } from "./migrate.ts";

/** `butleradm env`, with all of its commands. */
export function envGroup(terminal: Terminal): Command {
  const group = new Command("env")
    .alias("environment")
    .description("Manage team environments and the clusters in them");
  for (const command of [listCommand, migrateCommand]) group.addCommand(command(terminal));
  return group;
}
