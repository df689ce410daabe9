import { planAddMember, planChangeMember, planRemoveMember, type TeamPatch } from "@butler/administration";
import { Team, type TeamRole } from "@butler/api";
import { type Terminal, withExamples } from "@butler/cli-kit";
import { type Session, type SessionOptions, withSession } from "@butler/cli-session";
import { Argument, Command, Option } from "commander";
import { emailAddress } from "../common/words.ts";
import { changeFromCurrent, confirmLoss } from "../common/writing.ts";
import { requireTeam } from "./find-team.ts";

const roles = ["admin", "operator", "viewer"] as const satisfies readonly TeamRole[];

interface MemberOptions extends SessionOptions {
  readonly role: TeamRole;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

/** The arguments of the command: team, email address, for some commands a role, and the options. */
function wordsOf(words: readonly unknown[]) {
  const [name, email, role] = words as readonly [string, string, TeamRole];
  const options = (words.at(-1) as Command).optsWithGlobals<MemberOptions>();
  return { name, email, role, options };
}

const team = (): Argument => new Argument("<team>", "name of the team");
const person = (): Argument => new Argument("<email>", "email address of the user").argParser(emailAddress);
const dryRun = (): Option => new Option("--dry-run", "validate on the server without changing anything");

interface Membership {
  readonly name: string;
  readonly decide: (team: Team) => TeamPatch;
  readonly dryRun: boolean | undefined;
}

async function change(session: Session, { name, decide, dryRun: isDryRun }: Membership): Promise<string> {
  await requireTeam(session, name);
  await changeFromCurrent(session, Team, { key: { name }, decide, dryRun: isDryRun });
  return isDryRun ? " (dry run)" : "";
}

/** `butleradm team add-member`. */
export function addMemberCommand(terminal: Terminal): Command {
  const command = new Command("add-member")
    .description("Add a member to a team")
    .addArgument(team())
    .addArgument(person())
    .addOption(new Option("--role <role>", "role in the team").choices(roles).default("viewer"))
    .addOption(dryRun())
    .action(async (...words: unknown[]) => {
      const { name, email, options } = wordsOf(words);
      await withSession(terminal, options, async (session) => {
        const decide = (current: Team): TeamPatch => planAddMember(current, email, options.role);
        const note = await change(session, { name, decide, dryRun: options.dryRun });
        terminal.say(`${email} was added to the team ${name} as ${options.role}${note}.`);
      });
    });
  return withExamples(command, ["butleradm team add-member payments ada@example.com --role admin"]);
}

/** `butleradm team set-role`. */
export function setRoleCommand(terminal: Terminal): Command {
  const command = new Command("set-role")
    .description("Change the role of a team member")
    .addArgument(team())
    .addArgument(person())
    .addArgument(new Argument("<role>", "role in the team").choices(roles))
    .addOption(dryRun())
    .action(async (...words: unknown[]) => {
      const { name, email, role, options } = wordsOf(words);
      await withSession(terminal, options, async (session) => {
        const decide = (current: Team): TeamPatch => planChangeMember(current, email, role);
        const note = await change(session, { name, decide, dryRun: options.dryRun });
        terminal.say(`${email} now has the role ${role} in the team ${name}${note}.`);
      });
    });
  return withExamples(command, ["butleradm team set-role payments bob@example.com operator"]);
}

/** `butleradm team remove-member`. */
export function removeMemberCommand(terminal: Terminal): Command {
  const command = new Command("remove-member")
    .description("Remove a member from a team and all of its environments")
    .addArgument(team())
    .addArgument(person())
    .option("-y, --yes", "skip the confirmation prompt")
    .addOption(dryRun())
    .action(async (...words: unknown[]) => {
      const { name, email, options } = wordsOf(words);
      await withSession(terminal, options, async (session) => {
        // Validate before asking for confirmation.
        planRemoveMember(await requireTeam(session, name), email);
        const loss = `This removes ${email} from the team ${name} and all of its environments.`;
        await confirmLoss(terminal, { word: email, loss, yes: options.yes === true || options.dryRun });
        const decide = (current: Team): TeamPatch => planRemoveMember(current, email);
        const note = await change(session, { name, decide, dryRun: options.dryRun });
        terminal.say(`${email} was removed from the team ${name}${note}.`);
      });
    });
  return withExamples(command, ["butleradm team remove-member payments bob@example.com --yes"]);
}
