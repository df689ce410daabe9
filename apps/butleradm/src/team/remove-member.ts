import { planRemoveMember, type TeamPatch } from "@butler/administration";
import { type Team } from "@butler/api";
import { type Terminal, withExamples } from "@butler/cli-kit";
import { withSession } from "@butler/cli-session";
import type { Command } from "commander";
import { confirmLoss } from "../common/writing.ts";
import { requireTeam } from "./find-team.ts";
import { changeMember, dryRunOption, memberArguments, memberCommand } from "./change-member.ts";

/** `butleradm team remove-member`. */
export function removeMemberCommand(terminal: Terminal): Command {
  const command = memberCommand("remove-member", "Remove a member from a team and all of its environments")
    .option("-y, --yes", "skip the confirmation prompt")
    .addOption(dryRunOption())
    .action(async (...words: unknown[]) => {
      const { name, email, options } = memberArguments(words);
      await withSession(terminal, options, async (session) => {
        // Validate before asking for confirmation.
        planRemoveMember(await requireTeam(session, name), email);
        const loss = `This removes ${email} from the team ${name} and all of its environments.`;
        await confirmLoss(terminal, { word: email, loss, yes: options.yes === true || options.dryRun });
        const decide = (current: Team): TeamPatch => planRemoveMember(current, email);
        const note = await changeMember(session, { name, decide, dryRun: options.dryRun });
        terminal.say(`${email} was removed from the team ${name}${note}.`);
      });
    });
  return withExamples(command, ["butleradm team remove-member payments bob@example.com --yes"]);
}
