import { Team } from "@butler/api";
import { outputOption, renderValue, type Terminal, withExamples } from "@butler/cli-kit";
import { readList, type SessionOptions, withSession } from "@butler/cli-session";
import { Command } from "commander";
import { requireUser } from "./find-user.ts";
import { describeUser, withoutSecrets } from "./user-view.ts";

interface GetOptions extends SessionOptions {
  readonly output: "table" | "json" | "yaml";
}

/** `butleradm user get`. */
export function getCommand(terminal: Terminal): Command {
  const command = new Command("get")
    .alias("show")
    .description("Show an account and its teams")
    .argument("<user>", "name or email address of the account")
    .addOption(outputOption(["table", "json", "yaml"]))
    .action(async (word: string, _options, self: Command) => {
      const options = self.optsWithGlobals<GetOptions>();
      await withSession(terminal, options, async (session) => {
        const { user } = await requireUser(session, word);
        if (options.output !== "table") {
          terminal.print(renderValue(withoutSecrets(user), options.output));
          return;
        }
        const teams = await readList(session, Team, {});
        for (const line of describeUser(user, { teams, now: terminal.clock.now() })) terminal.print(line);
      });
    });
  return withExamples(command, ["butleradm user get ada@example.com", "butleradm user get ada -o yaml"]);
}
