import { accountName, createInvitation, invitationUrl, invitedStatus, newObject } from "@butler/administration";
import { accountsOf } from "@butler/access";
import { User } from "@butler/api";
import { renderValue, shellCommand, type Terminal, withExamples } from "@butler/cli-kit";
import { readList, type Session, type SessionOptions, withSession } from "@butler/cli-session";
import { AlreadyExists } from "@butler/kube";
import { ButlerError, Conflict, describeError, Unavailable } from "@butler/std";
import { Command, Option } from "commander";
import { emailAddress, objectName } from "../common/words.ts";
import { createObject, fieldManager } from "../common/writing.ts";
import { requireInviting } from "./may-invite.ts";
import { consoleAddress } from "./console-address.ts";
import { requireUser } from "./find-user.ts";

interface InviteOptions extends SessionOptions {
  readonly name?: string;
  readonly displayName?: string;
  readonly platformRole?: "admin" | "viewer";
  readonly consoleUrl?: string;
  readonly dryRun?: boolean;
}

const consoleOption = (): Option =>
  new Option("--console-url <url>", "URL of the console (default: the public URL of butler-server)");

/** `butleradm user invite`. */
export function inviteCommand(terminal: Terminal): Command {
  const command = new Command("invite")
    .description("Create an account and print the invitation link for choosing a password")
    .argument("<email>", "email address of the user", emailAddress)
    .addOption(
      new Option("--name <name>", "name of the account (default: derived from the email address)").argParser(
        objectName,
      ),
    )
    .option("--display-name <text>", "display name")
    .addOption(new Option("--platform-role <role>", "platform role").choices(["admin", "viewer"]))
    .addOption(consoleOption())
    .option("--dry-run", "validate on the server and print the account without creating it")
    .action(async (email: string, _options, self: Command) => {
      const options = self.optsWithGlobals<InviteOptions>();
      await withSession(terminal, options, (session) => invite({ terminal, session, options }, email));
    });
  return withExamples(command, [
    "butleradm user invite ada@example.com",
    'butleradm user invite ada@example.com --display-name "Ada Lovelace" --platform-role admin',
  ]);
}

interface Working {
  readonly terminal: Terminal;
  readonly session: Session;
  readonly options: InviteOptions;
}

/** Builds the account from the options. */
export function buildUser(email: string, { name, displayName, platformRole }: InviteOptions) {
  const spec = {
    email,
    authType: "internal",
    ...(displayName === undefined ? {} : { displayName }),
    ...(platformRole === undefined ? {} : { platformRole }),
  };
  return newObject(User, { name: name ?? accountName(email) }, { spec });
}

async function invite({ terminal, session, options }: Working, email: string): Promise<void> {
  // Check first: without an address there is no link, and an unusable account would be left.
  const address = await consoleAddress(session, options.consoleUrl);
  await requireInviting(session);
  const [known] = accountsOf({ email }, await readList(session, User, {}));
  if (known !== undefined) {
    throw new AlreadyExists(`an account for ${email} already exists: ${known.metadata.name}`, {
      hint: `Print a new link with: ${shellCommand("butleradm", "user", "reset", known.metadata.name)}`,
    });
  }
  const object = buildUser(email, options);
  const made = await createObject(session, User, { object, dryRun: options.dryRun });
  if (options.dryRun) {
    terminal.print(renderValue(object, "yaml"));
    return;
  }
  terminal.say(`The account ${made.metadata.name} was created.`);
  await giveLink({ terminal, session, options }, { user: made, address });
}

/** Stores the hash of a new invitation, and prints its link, which is not shown again. */
async function giveLink(
  { terminal, session: { client, signal } }: Working,
  { user, address }: { readonly user: User; readonly address: string },
): Promise<void> {
  const now = terminal.clock.now();
  const invitation = createInvitation(now);
  const { name } = user.metadata;
  const patch = { status: invitedStatus(invitation, now) };
  try {
    await client.patch(User, { name }, { type: "merge", subresource: "status", patch, fieldManager, signal });
  } catch (error) {
    const hint = `The account exists. Print a new link with: ${shellCommand("butleradm", "user", "reset", name)}`;
    const message = `cannot store the invitation of ${name}: ${describeError(error)}`;
    throw error instanceof ButlerError ? new Unavailable(message, { details: error.details, hint }) : error;
  }
  terminal.say(
    `Send this link to ${user.spec.email}. It works once, until ${invitation.expiresAt}, and is not stored.`,
  );
  terminal.print(invitationUrl(address, invitation));
}

/** `butleradm user reset`. */
export function resetCommand(terminal: Terminal): Command {
  const command = new Command("reset")
    .description("Print a new link for choosing a password; earlier links stop working")
    .argument("<user>", "name or email address of the account")
    .addOption(consoleOption())
    .action(async (word: string, _options, self: Command) => {
      const options = self.optsWithGlobals<InviteOptions>();
      await withSession(terminal, options, async (session) => {
        const { user } = await requireUser(session, word);
        const { authType, ssoProvider, disabled } = user.spec;
        if (authType !== "internal") {
          throw new Conflict(`${user.metadata.name} signs in through ${ssoProvider ?? "an identity provider"}`, {
            hint: "Reset the password at the identity provider.",
          });
        }
        const address = await consoleAddress(session, options.consoleUrl);
        await requireInviting(session);
        await giveLink({ terminal, session, options }, { user, address });
        const open = shellCommand("butleradm", "user", "enable", user.metadata.name);
        if (disabled) terminal.say(`The account is disabled. The link works once you enable the account with: ${open}`);
      });
    });
  return withExamples(command, ["butleradm user reset ada@example.com"]);
}
