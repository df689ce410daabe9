import { planAddMember, type TeamPatch } from "@butler/administration";
import { type Team } from "@butler/api";
import { type Terminal, withExamples } from "@butler/cli-kit";
import { withSession } from "@butler/cli-session";
import { type Command, Option } from "commander";
import { changeMember, dryRunOption, memberArguments, memberCommand, memberRoles } from "./change-member.ts";

/** `butleradm team add-member`. */
export function addMemberCommand(terminal: Terminal): Command {
  const command = memberCommand("add-member", "Add a member to a team")
    .addOption(new Option("--role <role>", "role in the team").choices(memberRoles).default("viewer"))
    .addOption(dryRunOption())
    .action(async (...words: unknown[]) => {
      const { name, email, options } = memberArguments(words);
      await withSession(terminal, options, async (session) => {
        const decide = (current: Team): TeamPatch => planAddMember(current, email, options.role);
        const note = await changeMember(session, { name, decide, dryRun: options.dryRun });
        terminal.say(`${email} was added to the team ${name} as ${options.role}${note}.`);
      });
    });
  return withExamples(command, ["butleradm team add-member payments ada@example.com --role admin"]);
}
