import { accountName, newObject } from "@butler/administration";
import { accountsOf } from "@butler/access";
import { User } from "@butler/api";
import { renderValue, shellCommand, type Terminal, withExamples } from "@butler/cli-kit";
import { inSession, readList, type Session, type SessionOptions } from "@butler/cli-session";
import { AlreadyExists } from "@butler/kube";
import { Command, Option } from "commander";
import { emailAddress, objectName } from "../common/words.ts";
import { createObject } from "../common/writing.ts";
import { requireInviting } from "./may-invite.ts";
import { consoleAddress } from "./console-address.ts";
import { consoleOption, giveLink } from "./invitation-link.ts";

interface InviteOptions extends SessionOptions {
  readonly name?: string;
  readonly displayName?: string;
  readonly platformRole?: "admin" | "viewer";
  readonly consoleUrl?: string;
  readonly dryRun?: boolean;
}

/** `butleradm user invite`. */
export function inviteCommand(terminal: Terminal): Command {
  const command = new Command("invite")
    .description("Create an account and print an invitation link for setting its password")
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
    .action(
      inSession<InviteOptions>(terminal, (session, options, email) => invite({ terminal, session, options }, email)),
    );
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
function buildUser(email: string, { name, displayName, platformRole }: InviteOptions) {
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
  await giveLink({ terminal, session }, { user: made, address });
}
