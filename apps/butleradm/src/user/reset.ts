import { shellCommand, type Terminal, withExamples } from "@butler/cli-kit";
import { inSession, type SessionOptions } from "@butler/cli-session";
import { Conflict } from "@butler/std";
import { Command } from "commander";
import { requireInviting } from "./may-invite.ts";
import { consoleAddress } from "./console-address.ts";
import { requireUser } from "./find-user.ts";
import { consoleOption, giveLink } from "./invitation-link.ts";

interface ResetOptions extends SessionOptions {
  readonly consoleUrl?: string;
}

/** `butleradm user reset`. */
export function resetCommand(terminal: Terminal): Command {
  const command = new Command("reset")
    .description("Print a new link for setting a password; earlier links stop working")
    .argument("<user>", "name or email address of the account")
    .addOption(consoleOption())
    .action(
      inSession<ResetOptions>(terminal, async (session, options, word) => {
        const { user } = await requireUser(session, word);
        const { authType, ssoProvider, disabled } = user.spec;
        if (authType !== "internal") {
          throw new Conflict(
            `cannot reset the password: ${user.metadata.name} signs in through ${ssoProvider ?? "an identity provider"}`,
            { hint: "Reset the password at the identity provider." },
          );
        }
        const address = await consoleAddress(session, options.consoleUrl);
        await requireInviting(session);
        await giveLink({ terminal, session }, { user, address });
        const open = shellCommand("butleradm", "user", "enable", user.metadata.name);
        if (disabled)
          terminal.say(`The account is disabled. The link does not work until you enable the account with: ${open}`);
      }),
    );
  return withExamples(command, ["butleradm user reset ada@example.com"]);
}
