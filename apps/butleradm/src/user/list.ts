import { User } from "@butler/api";
import { type Terminal, withExamples } from "@butler/cli-kit";
import { readList } from "@butler/cli-session";
import { Command } from "commander";
import { asList, byKey, listAction } from "../common/listing.ts";
import { userView, withoutSecrets } from "./user-view.ts";

/** `butleradm user list`. */
export function listCommand(terminal: Terminal): Command {
  const command = asList(new Command("list"))
    .alias("ls")
    .description("List the accounts")
    .action(
      listAction(terminal, async (session) => {
        const objects = (await readList(session, User, {})).sort(byKey).map(withoutSecrets);
        const view = userView(() => terminal.clock.now());
        const whenEmpty = "No accounts found. Invite a user with: butleradm user invite";
        return { view, objects, whenEmpty };
      }),
    );
  return withExamples(command, ["butleradm user list", "butleradm user list -o wide"]);
}
