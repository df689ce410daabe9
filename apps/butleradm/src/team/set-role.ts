import { planChangeMember, type TeamPatch } from "@butler/administration";
import { type Team } from "@butler/api";
import { type Terminal, withExamples } from "@butler/cli-kit";
import { withSession } from "@butler/cli-session";
import { Argument, type Command } from "commander";
import { changeMember, dryRunOption, memberArguments, memberCommand, memberRoles } from "./change-member.ts";

/** `butleradm team set-role`. */
export function setRoleCommand(terminal: Terminal): Command {
  const command = memberCommand("set-role", "Change the role of a team member")
    .addArgument(new Argument("<role>", "role in the team").choices(memberRoles))
    .addOption(dryRunOption())
    .action(async (...words: unknown[]) => {
      const { name, email, role, options } = memberArguments(words);
      await withSession(terminal, options, async (session) => {
        const decide = (current: Team): TeamPatch => planChangeMember(current, email, role);
        const note = await changeMember(session, { name, decide, dryRun: options.dryRun });
        terminal.say(`${email} now has the role ${role} in the team ${name}${note}.`);
      });
    });
  return withExamples(command, ["butleradm team set-role payments bob@example.com operator"]);
}
