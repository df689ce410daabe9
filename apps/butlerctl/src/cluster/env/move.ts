import { environmentMove } from "@butler/access";
import { Team, TenantCluster } from "@butler/api";
import { shellCommand, type Terminal, UsageError } from "@butler/cli-kit";
import { type Session, withSession } from "@butler/cli-session";
import { keyOf, keyText } from "@butler/resource";
import { Forbidden, InvalidInput } from "@butler/std";
import { Command, Option } from "commander";
import { clusterCommand, type ClusterOptions, requireName } from "../arguments.ts";
import { environmentOf } from "../cluster-view.ts";
import { findCluster } from "../find-cluster.ts";
import { explainRefusal } from "@butler/changes";

interface MoveOptions extends ClusterOptions {
  readonly to?: string;
  readonly none?: boolean;
  readonly dryRun?: boolean;
}

/** `butlerctl cluster env`, with all of its commands. */
export function environmentGroup(terminal: Terminal): Command {
  return new Command("env")
    .description("The environment of its team that a cluster is in")
    .alias("environment")
    .addCommand(moveCommand(terminal));
}

function moveCommand(terminal: Terminal): Command {
  return clusterCommand("move", "Move a cluster to another environment of its team", [
    "butlerctl cluster env move blue --to prod",
    "butlerctl cluster env move blue --to prod --dry-run",
  ])
    .option("--to <environment>", "environment to move to")
    .addOption(new Option("--none", "out of every environment, where the team allows it").conflicts("to"))
    .option("--dry-run", "ask whether it is allowed, and move nothing")
    .action(async (name: string | undefined, _options, self: Command) => {
      const options = self.optsWithGlobals<MoveOptions>();
      const wanted = { ...options, name: requireName(name, options) };
      if (options.to === undefined && !options.none) {
        throw new UsageError("the environment to move to is missing", {
          hint: 'Name it with --to; "butlerctl env list" shows those of a team.',
        });
      }
      await withSession(terminal, options, async (session) => {
        await move({ terminal, session, options }, await findCluster(session, wanted));
      });
    });
}

interface Moving {
  readonly terminal: Terminal;
  readonly session: Session;
  readonly options: MoveOptions;
}

async function move({ terminal, session, options }: Moving, cluster: TenantCluster): Promise<void> {
  const { to, dryRun } = options;
  const { name, namespace = "" } = cluster.metadata;
  const from = environmentOf(cluster);
  if (from === (to ?? "")) {
    terminal.say(`${name} is in ${to ?? "no environment"} already.`);
    return;
  }
  requireKnown(to, await readTeam(session, cluster));
  try {
    await session.client.patch(TenantCluster, keyOf(cluster), {
      type: "merge",
      patch: environmentMove(to),
      fieldManager: "butlerctl",
      dryRun,
      signal: session.signal,
    });
  } catch (error) {
    throw explainRefusal(`moving ${name}`, error);
  }
  terminal.say(moveText(keyText(cluster.metadata), { from, to, isDryRun: dryRun === true }));
  if (dryRun) return;
  terminal.say(
    "Roles and limits of the new environment count from now on; values of the cluster stay as they were decided.",
  );
  terminal.say(`See it with: ${shellCommand("butlerctl", "cluster", "describe", name, "-n", namespace)}`);
}

/** What has happened, as a sentence. */
export function moveText(
  cluster: string,
  { from, to, isDryRun }: { readonly from: string; readonly to: string | undefined; readonly isDryRun: boolean },
): string {
  const way = `from ${from === "" ? "no environment" : from} to ${to ?? "no environment"}`;
  return isDryRun
    ? `${cluster} may move ${way}. Nothing was done: this was a dry run.`
    : `${cluster} has moved ${way}.`;
}

/** Whoever may not read the team learns from the API server what environments there are. */
async function readTeam({ client, signal }: Session, { spec }: TenantCluster): Promise<Team | undefined> {
  if (spec.teamRef === undefined) return undefined;
  try {
    return await client.find(Team, { name: spec.teamRef.name }, signal);
  } catch (error) {
    if (error instanceof Forbidden) return undefined;
    throw error;
  }
}

/** Names the choices before the API server is asked, which has the last word. */
export function requireKnown(to: string | undefined, team: Team | undefined): void {
  const known = team?.spec.environments?.map(({ name }) => name) ?? [];
  if (team === undefined || to === undefined || known.includes(to)) return;
  const { name } = team.metadata;
  throw new InvalidInput(`team ${name} has no environment "${to}"`, {
    hint: known.length === 0 ? "It has none at all." : `It has: ${known.join(", ")}.`,
  });
}
