import type { Terminal } from "@butler/cli-kit";
import { Command } from "commander";
import { listCommand } from "./list.ts";
import { migrateCommand } from "./migrate.ts";

/** `butleradm env`, with all of its commands. */
export function envGroup(terminal: Terminal): Command {
  const group = new Command("env")
    .alias("environment")
    .description("Environments of teams, and putting clusters into them");
  for (const command of [listCommand, migrateCommand]) group.addCommand(command(terminal));
  return group;
}
