import { mainPoolName, maximumPoolSize, type TenantCluster } from "@butler/api";
import { type Terminal, timeoutOption, wholeNumber } from "@butler/cli-kit";
import { decideScale, type Scaling } from "@butler/cluster-operations";
import { type Command, Option } from "commander";
import { clusterCommand, type ClusterOptions } from "./arguments.ts";
import { onCluster } from "./on-cluster.ts";
import { operate, type Operating } from "./operate.ts";
import { followHint, waitForReady } from "./wait-for-cluster.ts";

interface ScaleOptions extends ClusterOptions, Scaling {
  readonly wait?: boolean;
  readonly timeout: number;
}

/** `butlerctl cluster scale`. */
export function scaleCommand(terminal: Terminal): Command {
  return clusterCommand("scale", "Set the number of workers in a cluster", [
    "butlerctl cluster scale blue --workers 5",
    "butlerctl cluster scale blue --pool gpu --workers 0 --wait",
  ])
    .addOption(
      new Option("-w, --workers <number>", "number of workers in the pool")
        .argParser(wholeNumber(0, maximumPoolSize))
        .makeOptionMandatory(),
    )
    .option("--pool <pool>", "name of the worker pool", mainPoolName)
    .option("--wait", "wait until the workers have joined or been removed")
    .addOption(timeoutOption("15m"))
    .action(
      onCluster<ScaleOptions>(terminal, async (session, cluster, options) => {
        const scaled = await scale({ terminal, session, options: {} }, cluster, options);
        if (options.wait) await waitForReady({ terminal, session, timeoutMs: options.timeout }, scaled);
        else terminal.say(followHint(cluster));
      }),
    );
}

/** Scales one pool, and returns the cluster afterwards. */
export async function scale(operating: Operating, cluster: TenantCluster, scaling: Scaling): Promise<TenantCluster> {
  const decision = decideScale(cluster, scaling);
  const scaled = await operate(operating, { cluster, decision, what: "scaling" });
  if (decision.state === "change") operating.terminal.say(decision.summary);
  return scaled ?? cluster;
}
