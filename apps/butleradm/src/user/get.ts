import { Team } from "@butler/api";
import { type Terminal, withExamples } from "@butler/cli-kit";
import { readList } from "@butler/cli-session";
import { Command } from "commander";
import { asDetails } from "../common/showing.ts";
import { requireUser } from "./find-user.ts";
import { describeUser, withoutSecrets } from "./user-view.ts";

/** `butleradm user get`. */
export function getCommand(terminal: Terminal): Command {
  const command = new Command("get")
    .alias("show")
    .description("Show an account and its teams")
    .argument("<user>", "name or email address of the account");
  asDetails(command, terminal, async (session, word) => {
    const { user } = await requireUser(session, word);
    const lines = async (): Promise<readonly string[]> => {
      const teams = await readList(session, Team, {});
      return describeUser(user, { teams, now: terminal.clock.now() });
    };
    return { object: withoutSecrets(user), lines };
  });
  return withExamples(command, ["butleradm user get ada@example.com", "butleradm user get ada -o yaml"]);
}
