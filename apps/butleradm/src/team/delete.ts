import { clustersOfTeam } from "@butler/administration";
import { Team, TenantCluster } from "@butler/api";
import { type Terminal, withExamples } from "@butler/cli-kit";
import { inSession, readList, type SessionOptions } from "@butler/cli-session";
import { keyOf, keyText } from "@butler/resource";
import { Conflict, nameSome } from "@butler/std";
import { Command } from "commander";
import { confirmLoss, deleteObject } from "../common/writing.ts";
import { requireTeam } from "./find-team.ts";

interface DeleteOptions extends SessionOptions {
  readonly yes?: boolean;
}

/** `butleradm team delete`. */
export function deleteCommand(terminal: Terminal): Command {
  const command = new Command("delete")
    .alias("rm")
    .description("Delete a team without clusters, and its namespace")
    .argument("<team>", "name of the team")
    .option("-y, --yes", "skip the confirmation prompt")
    .action(
      inSession<DeleteOptions>(terminal, async (session, options, name) => {
        const team = await requireTeam(session, name);
        requireEmpty(team, await readList(session, TenantCluster, {}));
        const loss = `This deletes the team ${name} with its namespace and everything in it. This cannot be undone.`;
        await confirmLoss(terminal, { word: name, loss, yes: options.yes });
        const outcome = await deleteObject(session, { kind: Team, object: team, what: `the team ${name}` });
        terminal.say(`The team ${name} ${outcome === "gone" ? "was deleted" : "is being deleted"}.`);
      }),
    );
  return withExamples(command, ["butleradm team delete payments", "butleradm team delete payments --yes"]);
}

function requireEmpty(team: Team, clusters: readonly TenantCluster[]): void {
  const own = clustersOfTeam(team, clusters).map((cluster) => keyText(keyOf(cluster)));
  if (own.length === 0) return;
  throw new Conflict(`the team ${team.metadata.name} has clusters: ${nameSome(own.sort())}; nothing was deleted`, {
    hint: "Delete them first, or move them to another team.",
  });
}
