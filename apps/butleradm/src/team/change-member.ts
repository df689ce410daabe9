import type { TeamPatch } from "@butler/administration";
import { Team, type TeamRole } from "@butler/api";
import type { Session, SessionOptions } from "@butler/cli-session";
import { Command, Option } from "commander";
import { emailAddress } from "../common/words.ts";
import { changeFromCurrent } from "../common/writing.ts";
import { requireTeam } from "./find-team.ts";

/** Roles of a member in a team. */
export const memberRoles = ["admin", "operator", "viewer"] as const satisfies readonly TeamRole[];

interface MemberOptions extends SessionOptions {
  readonly role: TeamRole;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

/** The arguments of a command: team, email address, for some commands a role, and the options. */
export function memberArguments(words: readonly unknown[]) {
  const [name, email, role] = words as readonly [string, string, TeamRole];
  const options = (words.at(-1) as Command).optsWithGlobals<MemberOptions>();
  return { name, email, role, options };
}

/** A command about one member of one team. */
export function memberCommand(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .argument("<team>", "name of the team")
    .argument("<email>", "email address of the user", emailAddress);
}

/** Validation without a change. */
export const dryRunOption = (): Option => new Option("--dry-run", "validate on the server without changing anything");

interface MemberChange {
  readonly name: string;
  readonly decide: (team: Team) => TeamPatch;
  readonly dryRun: boolean | undefined;
}

/** Applies the change that the current team allows; returns a note for the message when it was a dry run. */
export async function changeMember(
  session: Session,
  { name, decide, dryRun: isDryRun }: MemberChange,
): Promise<string> {
  await requireTeam(session, name);
  await changeFromCurrent(session, Team, { key: { name }, decide, dryRun: isDryRun });
  return isDryRun ? " (dry run)" : "";
}
