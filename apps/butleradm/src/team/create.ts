import { newObject } from "@butler/administration";
import { Team } from "@butler/api";
import { renderValue, type Terminal, withExamples } from "@butler/cli-kit";
import { inSession, type SessionOptions } from "@butler/cli-session";
import { Command, Option } from "commander";
import { emailAddress, objectName, repeated } from "../common/words.ts";
import { createObject } from "../common/writing.ts";

interface CreateOptions extends SessionOptions {
  readonly displayName?: string;
  readonly description?: string;
  readonly admin?: readonly string[];
  readonly environment?: readonly string[];
  readonly dryRun?: boolean;
}

/** `butleradm team create`. */
export function createCommand(terminal: Terminal): Command {
  const command = new Command("create")
    .description("Create a team with its own namespace")
    .argument("<team>", "name of the team and its namespace", objectName)
    .option("--display-name <text>", "display name")
    .option("--description <text>", "purpose of the team")
    .addOption(
      new Option("--admin <email>", "email address of a team admin; may be repeated").argParser(
        (word: string, before: readonly string[] | undefined) => repeated(emailAddress(word), before),
      ),
    )
    .addOption(
      new Option(
        "--environment <name>",
        "environment for the team's clusters, such as prod; may be repeated",
      ).argParser(repeated),
    )
    .option("--dry-run", "validate on the server and print the object without creating it")
    .action(
      inSession<CreateOptions>(terminal, async (session, options, name) => {
        const { dryRun } = options;
        await createObject(session, Team, { object: buildTeam(name, options), dryRun });
        if (dryRun) terminal.print(renderValue(buildTeam(name, options), "yaml"));
        else terminal.say(`The team ${name} is being created. Check its status with: butleradm team get ${name}`);
        if ((options.admin ?? []).length === 0) {
          terminal.say(
            `The team has no members yet. Add one with: butleradm team add-member ${name} EMAIL --role admin`,
          );
        }
      }),
    );
  return withExamples(command, [
    "butleradm team create payments --display-name Payments --admin ada@example.com",
    "butleradm team create search --environment dev --environment prod --dry-run",
  ]);
}

/** Builds the team from the options. */
function buildTeam(name: string, options: Omit<CreateOptions, "dryRun">) {
  const { displayName, description, admin = [], environment = [] } = options;
  return newObject(
    Team,
    { name },
    {
      spec: {
        ...(displayName === undefined ? {} : { displayName }),
        ...(description === undefined ? {} : { description }),
        access: { users: [...new Set(admin)].map((email) => ({ name: email, role: "admin" })) },
        ...(environment.length === 0 ? {} : { environments: environment.map((each) => ({ name: each })) }),
      },
    },
  );
}
