import { clustersOfTeam, newObject } from "@butler/administration";
import { Team, TenantCluster } from "@butler/api";
import { renderValue, type Terminal, withExamples } from "@butler/cli-kit";
import { readList, type SessionOptions, withSession } from "@butler/cli-session";
import { keyOf, keyText } from "@butler/resource";
import { Conflict, nameSome } from "@butler/std";
import { Command, Option } from "commander";
import { emailAddress, objectName, repeated } from "../common/words.ts";
import { confirmLoss, createObject, deleteObject } from "../common/writing.ts";
import { requireTeam } from "./find-team.ts";

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
    .description("Make a team, which gets a namespace of its own")
    .argument("<team>", "name of the team and of its namespace", objectName)
    .option("--display-name <text>", "name shown to people")
    .option("--description <text>", "what the team is for")
    .addOption(
      new Option("--admin <email>", "somebody who may do everything in the team; may be repeated").argParser(
        (word: string, before: readonly string[] | undefined) => repeated(emailAddress(word), before),
      ),
    )
    .addOption(
      new Option("--environment <name>", "part of the team's clusters, such as prod; may be repeated").argParser(
        repeated,
      ),
    )
    .option("--dry-run", "ask whether it could be made, print it, and make nothing")
    .action(async (name: string, _options, self: Command) => {
      const options = self.optsWithGlobals<CreateOptions>();
      await withSession(terminal, options, async (session) => {
        const { dryRun } = options;
        await createObject(session, Team, { object: buildTeam(name, options), dryRun });
        if (dryRun) terminal.print(renderValue(buildTeam(name, options), "yaml"));
        else terminal.say(`The team ${name} is being made. See how it is with: butleradm team get ${name}`);
        if ((options.admin ?? []).length === 0) {
          terminal.say(`Nobody is in it yet. Add somebody with: butleradm team add-member ${name} EMAIL --role admin`);
        }
      });
    });
  return withExamples(command, [
    "butleradm team create payments --display-name Payments --admin ada@example.com",
    "butleradm team create search --environment dev --environment prod --dry-run",
  ]);
}

/** The team that the options describe. */
export function buildTeam(name: string, options: Omit<CreateOptions, "dryRun">) {
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

interface DeleteOptions extends SessionOptions {
  readonly yes?: boolean;
}

/** `butleradm team delete`. */
export function deleteCommand(terminal: Terminal): Command {
  const command = new Command("delete")
    .alias("rm")
    .description("Delete a team that has no clusters, with its namespace")
    .argument("<team>", "name of the team")
    .option("-y, --yes", "do not ask")
    .action(async (name: string, _options, self: Command) => {
      const options = self.optsWithGlobals<DeleteOptions>();
      await withSession(terminal, options, async (session) => {
        const team = await requireTeam(session, name);
        requireEmpty(team, await readList(session, TenantCluster, {}));
        const loss = `This deletes the team ${name} with its namespace and everything in it. There is no way back.`;
        await confirmLoss(terminal, { word: name, loss, yes: options.yes });
        const outcome = await deleteObject(session, { kind: Team, object: team, what: `the team ${name}` });
        terminal.say(`The team ${name} is ${outcome === "gone" ? "gone" : "being deleted"}.`);
      });
    });
  return withExamples(command, ["butleradm team delete payments", "butleradm team delete payments --yes"]);
}

function requireEmpty(team: Team, clusters: readonly TenantCluster[]): void {
  const own = clustersOfTeam(team, clusters).map((cluster) => keyText(keyOf(cluster)));
  if (own.length === 0) return;
  throw new Conflict(`the team ${team.metadata.name} has clusters: ${nameSome(own.sort())}; nothing was deleted`, {
    hint: "Destroy them first, or move them to another team.",
  });
}
