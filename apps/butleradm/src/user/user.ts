import type { Terminal } from "@butler/cli-kit";
import { Command } from "commander";
import { deleteCommand } from "./delete.ts";
import { disableCommand } from "./disable.ts";
import { enableCommand } from "./enable.ts";
import { setPlatformRoleCommand } from "./set-platform-role.ts";
import { inviteCommand } from "./invite.ts";
import { resetCommand } from "./reset.ts";
import { getCommand } from "./get.ts";
import { listCommand } from "./list.ts";

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
