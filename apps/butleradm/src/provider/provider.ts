import type { Terminal } from "@butler/cli-kit";
import { Command } from "commander";
import { addCommand } from "./add.ts";
import { listCommand } from "./list.ts";
import { removeCommand } from "./remove.ts";
import { testCommand } from "./test-provider.ts";

/** `butleradm provider`, with all of its commands. */
export function providerGroup(terminal: Terminal): Command {
  const group = new Command("provider")
    .alias("providers")
    .description("Manage infrastructure providers and their credentials");
  for (const command of [listCommand, addCommand, testCommand, removeCommand]) group.addCommand(command(terminal));
  return group;
}
