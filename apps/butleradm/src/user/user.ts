import type { Terminal } from "@butler/cli-kit";
import { Command } from "commander";
import { deleteCommand, disableCommand, enableCommand, setPlatformRoleCommand } from "./changing.ts";
import { inviteCommand, resetCommand } from "./inviting.ts";
import { getCommand, listCommand } from "./looking.ts";

/** `butleradm user`, with all of its commands. */
export function userGroup(terminal: Terminal): Command {
  const group = new Command("user").alias("users").description("Manage user accounts");
  const commands = [
    listCommand,
    getCommand,
    inviteCommand,
    resetCommand,
    disableCommand,
    enableCommand,
    setPlatformRoleCommand,
    deleteCommand,
  ];
  for (const command of commands) group.addCommand(command(terminal));
  return group;
}
