import { planPlatformRole, requireAnotherAdmin } from "@butler/administration";
import { resolveTeams } from "@butler/access";
import { effectivePlatformRole, Team, User } from "@butler/api";
import { type Terminal, withExamples } from "@butler/cli-kit";
import { readList, type SessionOptions, withSession } from "@butler/cli-session";
import { nameSome } from "@butler/std";
import { Argument, Command } from "commander";
import { changeFromCurrent, confirmLoss, deleteObject } from "../common/writing.ts";
import { requireUser } from "./find-user.ts";

interface ChangeOptions extends SessionOptions {
  readonly yes?: boolean;
  readonly dryRun?: boolean;
}

const account = (): Argument => new Argument("<user>", "name or email address of the account");
const dryRunText = "validate on the server without changing anything";

/** `butleradm user disable`. */
export function disableCommand(terminal: Terminal): Command {
  return shutOrOpen(terminal, {
    name: "disable",
    description: "Disable an account: the user is signed out everywhere and cannot sign in",
    disabled: true,
    outcome: "disabled",
  });
}

/** `butleradm user enable`. */
export function enableCommand(terminal: Terminal): Command {
  return shutOrOpen(terminal, {
    name: "enable",
    description: "Enable a disabled account",
    disabled: false,
    outcome: "enabled",
  });
}

interface Shutting {
  readonly name: string;
  readonly description: string;
  readonly disabled: boolean;
  readonly outcome: string;
}

function shutOrOpen(terminal: Terminal, { name, description, disabled, outcome }: Shutting): Command {
  const command = new Command(name)
    .description(description)
    .addArgument(account())
    .option("--dry-run", dryRunText)
    .action(async (word: string, _options, self: Command) => {
      const options = self.optsWithGlobals<ChangeOptions>();
      await withSession(terminal, options, async (session) => {
        const { user, users } = await requireUser(session, word);
        const { name: key } = user.metadata;
        if (user.spec.disabled === disabled) {
          terminal.say(`The account ${key} is already ${outcome}.`);
          return;
        }
        if (disabled) requireAnotherAdmin(user, users);
        const decide = () => ({ spec: { disabled } });
        await changeFromCurrent(session, User, { key: { name: key }, decide, dryRun: options.dryRun });
        terminal.say(`The account ${key} is now ${outcome}${options.dryRun ? " (dry run)" : ""}.`);
      });
    });
  return withExamples(command, [`butleradm user ${name} ada@example.com`]);
}

type PlatformRole = "admin" | "viewer" | "none";

/** `butleradm user set-platform-role`. */
export function setPlatformRoleCommand(terminal: Terminal): Command {
  const command = new Command("set-platform-role")
    .description("Set the platform role of an account")
    .addArgument(account())
    .addArgument(
      new Argument("<role>", "admin has full access, viewer can read everything, none has only team roles").choices([
        "admin",
        "viewer",
        "none",
      ]),
    )
    .option("--dry-run", dryRunText)
    .action(async (...words: unknown[]) => {
      const [word, role] = words as [string, PlatformRole];
      const options = (words.at(-1) as Command).optsWithGlobals<ChangeOptions>();
      await withSession(terminal, options, async (session) => {
        const { user, users } = await requireUser(session, word);
        const { name } = user.metadata;
        const before = effectivePlatformRole(user.spec) ?? "none";
        if (role !== "admin") requireAnotherAdmin(user, users);
        const decide = () => planPlatformRole(role === "none" ? null : role);
        await changeFromCurrent(session, User, { key: { name }, decide, dryRun: options.dryRun });
        const note = options.dryRun ? " (dry run)" : "";
        terminal.say(`The platform role of ${user.spec.email} changed from ${before} to ${role}${note}.`);
      });
    });
  return withExamples(command, [
    "butleradm user set-platform-role ada@example.com admin",
    "butleradm user set-platform-role bob@example.com none",
  ]);
}

/** `butleradm user delete`. */
export function deleteCommand(terminal: Terminal): Command {
  const command = new Command("delete")
    .alias("rm")
    .description("Delete an account and its password")
    .addArgument(account())
    .option("-y, --yes", "skip the confirmation prompt")
    .action(async (word: string, _options, self: Command) => {
      const options = self.optsWithGlobals<ChangeOptions>();
      await withSession(terminal, options, async (session) => {
        const { user, users } = await requireUser(session, word);
        const { name } = user.metadata;
        requireAnotherAdmin(user, users);
        const loss = `This deletes the account ${name} of ${user.spec.email}. To disable it instead: butleradm user disable`;
        await confirmLoss(terminal, { word: name, loss, yes: options.yes });
        const outcome = await deleteObject(session, { kind: User, object: user, what: `the account ${name}` });
        terminal.say(`The account ${name} ${outcome === "gone" ? "was deleted" : "is being deleted"}.`);
        const teams = resolveTeams({ email: user.spec.email, groups: [] }, await readList(session, Team, {}));
        if (teams.length === 0) return;
        const names = nameSome(teams.map((team) => team.name));
        terminal.say(
          `Teams still reference ${user.spec.email}: ${names}. Remove it with: butleradm team remove-member`,
        );
      });
    });
  return withExamples(command, ["butleradm user delete bob@example.com --yes"]);
}
