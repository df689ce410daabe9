import { requireAnotherAdmin } from "@butler/administration";
import { resolveTeams } from "@butler/access";
import { Team, User } from "@butler/api";
import { type Terminal, withExamples } from "@butler/cli-kit";
import { inSession, readList } from "@butler/cli-session";
import { nameSome } from "@butler/std";
import { Command } from "commander";
import { confirmLoss, deleteObject } from "../common/writing.ts";
import { requireUser } from "./find-user.ts";
import { type ChangeOptions, accountArgument } from "./change-options.ts";

/** `butleradm user delete`. */
export function deleteCommand(terminal: Terminal): Command {
  const command = new Command("delete")
    .alias("rm")
    .description("Delete an account and its password")
    .addArgument(accountArgument())
    .option("-y, --yes", "skip the confirmation prompt")
    .action(
      inSession<ChangeOptions>(terminal, async (session, options, word) => {
        const { user, users } = await requireUser(session, word);
        const { name } = user.metadata;
        requireAnotherAdmin(user, users);
        const loss = `This deletes the account ${name} (${user.spec.email}). To disable it instead, run: butleradm user disable`;
        await confirmLoss(terminal, { word: name, loss, yes: options.yes });
        const outcome = await deleteObject(session, { kind: User, object: user, what: `the account ${name}` });
        terminal.say(`The account ${name} ${outcome === "gone" ? "was deleted" : "is being deleted"}.`);
        const teams = resolveTeams({ email: user.spec.email, groups: [] }, await readList(session, Team, {}));
        if (teams.length === 0) return;
        const names = nameSome(teams.map((team) => team.name));
        terminal.say(
          `Teams still reference ${user.spec.email}: ${names}. Remove the member with: butleradm team remove-member`,
        );
      }),
    );
  return withExamples(command, ["butleradm user delete bob@example.com --yes"]);
}
