import type { Terminal } from "@butler/cli-kit";
import { Command } from "commander";
import { getCommand } from "./get.ts";
import { listCommand } from "./list.ts";
import { membersCommand } from "./members.ts";
import { usageCommand } from "./usage.ts";

/** `butlerctl team`, with all of its commands. */
export function teamGroup(terminal: Terminal): Command {
  const group = new Command("team").description("Show teams, their members and usage").alias("teams");
  for (const command of [listCommand, getCommand, membersCommand, usageCommand]) group.addCommand(command(terminal));
  return group;
}
