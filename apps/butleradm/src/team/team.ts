import type { Terminal } from "@butler/cli-kit";
import { Command } from "commander";
import { createCommand } from "./create.ts";
import { deleteCommand } from "./delete.ts";
import { getCommand } from "./get.ts";
import { listCommand } from "./list.ts";
import { addMemberCommand } from "./add-member.ts";
import { removeMemberCommand } from "./remove-member.ts";
import { setRoleCommand } from "./set-role.ts";
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
