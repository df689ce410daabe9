import { mainPoolName, TenantCluster } from "@butler/api";
import { type Terminal, timeoutOption, UsageError, wholeNumber } from "@butler/cli-kit";
import { scalePatch } from "@butler/changes";
import { keyOf } from "@butler/resource";
import { InvalidInput } from "@butler/std";
import { type Command, Option } from "commander";
import { type Session, withSession } from "@butler/cli-session";
import { clusterCommand, type ClusterOptions, requireName } from "./arguments.ts";
import { poolSizes } from "@butler/diagnosis";
import { findCluster } from "./find-cluster.ts";
import { explainRefusal } from "@butler/changes";
import { followHint, waitForReady } from "./wait-for-cluster.ts";

interface ScaleOptions extends ClusterOptions {
  readonly workers: number;
  readonly pool: string;
  readonly wait?: boolean;
  readonly timeout: number;
}

/** `butlerctl cluster scale`. */
export function scaleCommand(terminal: Terminal): Command {
  return clusterCommand("scale", "Set the number of workers of a cluster", [
    "butlerctl cluster scale blue --workers 5",
    "butlerctl cluster scale blue --pool gpu --workers 0 --wait",
  ])
    .addOption(
      new Option("-w, --workers <number>", "number of workers in the pool")
        .argParser(wholeNumber(0, 10_000))
        .makeOptionMandatory(),
    )
    .option("--pool <pool>", "worker pool", mainPoolName)
    .option("--wait", "wait until the workers have joined or are removed")
    .addOption(timeoutOption("15m"))
    .action(async (name: string | undefined, _options, self: Command) => {
      const options = self.optsWithGlobals<ScaleOptions>();
      const wanted = { ...options, name: requireName(name, options) };
      await withSession(terminal, options, async (session) => {
        const cluster = await findCluster(session, wanted);
        const scaled = await scale({ terminal, session, options }, cluster);
        if (options.wait) await waitForReady({ terminal, session, timeoutMs: options.timeout }, scaled);
        else terminal.say(followHint(cluster));
      });
    });
}

interface Scaling {
  readonly terminal: Terminal;
  readonly session: Session;
  readonly options: ScaleOptions;
}

async function scale({ terminal, session, options }: Scaling, cluster: TenantCluster): Promise<TenantCluster> {
  const { pool, workers } = options;
  const before = requirePool(cluster, options);
  const what = pool === mainPoolName ? cluster.metadata.name : `${cluster.metadata.name}, pool ${pool},`;
  if (before === workers) {
    terminal.say(`${what} already has ${workers} workers.`);
    return cluster;
  }
  try {
    const scaled = await session.client.patch(TenantCluster, keyOf(cluster), {
      ...scalePatch(cluster, options),
      fieldManager: "butlerctl",
      signal: session.signal,
    });
    terminal.say(`Scaling ${what} from ${before} to ${workers} workers.`);
    return scaled;
  } catch (error) {
    throw explainRefusal(`scaling ${cluster.metadata.name}`, error);
  }
}

function requirePool(cluster: TenantCluster, { pool, workers }: Pick<ScaleOptions, "pool" | "workers">): number {
  const pools = poolSizes(cluster);
  const found = pools.find(({ name }) => name === pool);
  if (found === undefined) {
    throw new InvalidInput(`${cluster.metadata.name} has no pool "${pool}"`, {
      hint: `Pools: ${pools.map(({ name }) => name).join(", ")}.`,
    });
  }
  if (pool === mainPoolName && workers < 1) {
    throw new UsageError("the main pool must have at least 1 worker", {
      hint: 'To delete the cluster, use "butlerctl cluster destroy".',
    });
  }
  return found.replicas;
}
