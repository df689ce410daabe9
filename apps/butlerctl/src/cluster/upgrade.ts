import type { TenantCluster } from "@butler/api";
import { type Terminal, timeoutOption } from "@butler/cli-kit";
import { decideUpgrade } from "@butler/cluster-operations";
import { type Command, Option } from "commander";
import { clusterCommand, type ClusterOptions } from "./arguments.ts";
import { onCluster } from "./on-cluster.ts";
import { operate, type Operating } from "./operate.ts";
import { followHint, waitForReady } from "./wait-for-cluster.ts";

interface UpgradeOptions extends ClusterOptions {
  readonly to: string;
  readonly dryRun?: boolean;
  readonly wait?: boolean;
  readonly timeout: number;
}

/** `butlerctl cluster upgrade`. */
export function upgradeCommand(terminal: Terminal): Command {
  return clusterCommand("upgrade", "Upgrade a cluster to another Kubernetes version", [
    "butlerctl cluster upgrade blue --to v1.36.3",
    "butlerctl cluster upgrade blue --to v1.36.3 --dry-run",
  ])
    .addOption(new Option("--to <version>", "Kubernetes version to upgrade to").makeOptionMandatory())
    .option("--dry-run", "print the upgrade plan without upgrading")
    .option("--wait", "wait until the upgrade is complete")
    .addOption(timeoutOption("30m"))
    .action(
      onCluster<UpgradeOptions>(terminal, async (session, cluster, options) => {
        const upgraded = await upgrade({ terminal, session, options }, cluster, options.to);
        if (upgraded === undefined) return;
        if (options.dryRun) terminal.say("Dry run: nothing was changed.");
        else if (options.wait) await waitForReady({ terminal, session, timeoutMs: options.timeout }, upgraded);
        else terminal.say(followHint(cluster));
      }),
    );
}

/** Upgrades a cluster, and returns it afterwards; undefined if it is set to the version already. */
export async function upgrade(
  operating: Operating,
  cluster: TenantCluster,
  to: string,
): Promise<TenantCluster | undefined> {
  const decision = decideUpgrade(cluster, to);
  if (decision.state === "change") for (const line of decision.effects) operating.terminal.say(line);
  return operate(operating, { cluster, decision, what: "upgrading" });
}
