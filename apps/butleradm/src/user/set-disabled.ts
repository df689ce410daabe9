import { requireAnotherAdmin } from "@butler/administration";
import { User } from "@butler/api";
import { type Terminal, withExamples } from "@butler/cli-kit";
import { inSession } from "@butler/cli-session";
import { Command } from "commander";
import { changeFromCurrent } from "../common/writing.ts";
import { requireUser } from "./find-user.ts";
import { type ChangeOptions, accountArgument, dryRunText } from "./change-options.ts";

interface Wanted {
  readonly name: string;
  readonly description: string;
  readonly disabled: boolean;
  readonly outcome: string;
}

/** The command that disables or enables an account. */
export function setDisabledCommand(terminal: Terminal, { name, description, disabled, outcome }: Wanted): Command {
  const command = new Command(name)
    .description(description)
    .addArgument(accountArgument())
    .option("--dry-run", dryRunText)
    .action(
      inSession<ChangeOptions>(terminal, async (session, options, word) => {
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
      }),
    );
  return withExamples(command, [`butleradm user ${name} ada@example.com`]);
}
