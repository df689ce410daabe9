import { Team, type TenantCluster } from "@butler/api";
import { shellCommand, type Terminal, UsageError } from "@butler/cli-kit";
import { type Session, withSession } from "@butler/cli-session";
import { decideMove, type MoveTarget } from "@butler/cluster-operations";
import { keyText } from "@butler/resource";
import { Forbidden } from "@butler/std";
import { type Command, Option } from "commander";
import { clusterCommand, type ClusterOptions, requireName } from "../arguments.ts";
import { environmentOf } from "../cluster-view.ts";
import { findCluster } from "../find-cluster.ts";
import { operate } from "../operate.ts";

interface MoveOptions extends ClusterOptions {
  readonly to?: string;
  readonly none?: boolean;
  readonly dryRun?: boolean;
}

/** `butlerctl cluster env move`. */
export function moveCommand(terminal: Terminal): Command {
  return clusterCommand("move", "Move a cluster to another environment of its team", [
    "butlerctl cluster env move blue --to prod",
    "butlerctl cluster env move blue --to prod --dry-run",
  ])
    .option("--to <environment>", "target environment")
    .addOption(new Option("--none", "remove the cluster from its environment, if the team allows it").conflicts("to"))
    .option("--dry-run", "check whether the move is allowed, without moving the cluster")
    .action(async (name: string | undefined, _options, self: Command) => {
      const options = self.optsWithGlobals<MoveOptions>();
      const wanted = { ...options, name: requireName(name, options) };
      if (options.to === undefined && !options.none) {
        throw new UsageError("the target environment is required", {
          hint: "Specify it with --to. List a team's environments with: butlerctl env list",
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
  const team = await readTeam(session, cluster);
  const decision = decideMove(cluster, { to, team: team && placesOf(team) });
  const moved = await operate({ terminal, session, options }, { cluster, decision, what: "moving" });
  if (moved === undefined) return;
  const from = environmentOf(cluster);
  terminal.say(moveText(keyText(cluster.metadata), { from, to, isDryRun: dryRun === true }));
  if (dryRun) return;
  terminal.say("The new environment's roles and limits apply immediately. Values in the cluster's spec do not change.");
  terminal.say(`Show the cluster with: ${shellCommand("butlerctl", "cluster", "describe", name, "-n", namespace)}`);
}

/** The result, as a sentence. */
export function moveText(
  cluster: string,
  { from, to, isDryRun }: { readonly from: string; readonly to: string | undefined; readonly isDryRun: boolean },
): string {
  const way = `from ${from === "" ? "no environment" : from} to ${to ?? "no environment"}`;
  return isDryRun ? `${cluster} can be moved ${way}. Dry run: nothing was changed.` : `Moved ${cluster} ${way}.`;
}

/** Undefined without permission to read the team: the API server then validates the environment. */
async function readTeam({ client, signal }: Session, { spec }: TenantCluster): Promise<Team | undefined> {
  if (spec.teamRef === undefined) return undefined;
  try {
    return await client.find(Team, { name: spec.teamRef.name }, signal);
  } catch (error) {
    if (error instanceof Forbidden) return undefined;
    throw error;
  }
}

function placesOf({ metadata, spec }: Team): NonNullable<MoveTarget["team"]> {
  return { name: metadata.name, environments: spec.environments ?? [] };
}
