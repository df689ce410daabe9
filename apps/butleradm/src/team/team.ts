import type { Terminal } from "@butler/cli-kit";
import { Command } from "commander";
import { createCommand, deleteCommand } from "./life.ts";
import { getCommand, listCommand } from "./looking.ts";
import { addMemberCommand, removeMemberCommand, setRoleCommand } from "./members.ts";
import { quotaCommand } from "./quota.ts";

/** `butleradm team`, with all of its commands. */
export function teamGroup(terminal: Terminal): Command {
  const group = new Command("team").alias("teams").description("Manage teams, their members and quotas");
  const commands = [
    listCommand,
    getCommand,
    createCommand,
    deleteCommand,
    addMemberCommand,
    removeMemberCommand,
    setRoleCommand,
    quotaCommand,
  ];
  for (const command of commands) group.addCommand(command(terminal));
  return group;
}
