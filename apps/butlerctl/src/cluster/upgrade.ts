import { TenantCluster } from "@butler/api";
import { type Terminal, timeoutOption } from "@butler/cli-kit";
import { planUpgrade } from "@butler/changes";
import { keyOf } from "@butler/resource";
import { type Command, Option } from "commander";
import { withSession } from "@butler/cli-session";
import { clusterCommand, type ClusterOptions, requireName } from "./arguments.ts";
import { findCluster } from "./find-cluster.ts";
import { explainRefusal } from "@butler/changes";
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
    .action(async (name: string | undefined, _options, self: Command) => {
      const options = self.optsWithGlobals<UpgradeOptions>();
      const wanted = { ...options, name: requireName(name, options) };
      await withSession(terminal, options, async (session) => {
        const cluster = await findCluster(session, wanted);
        const plan = planUpgrade(cluster, options.to);
        for (const line of plan.lines) terminal.say(line);
        if (plan.version === undefined) return;
        const upgraded = await session.client
          .patch(TenantCluster, keyOf(cluster), {
            type: "merge",
            patch: { spec: { kubernetesVersion: plan.version } },
            fieldManager: "butlerctl",
            dryRun: options.dryRun,
            signal: session.signal,
          })
          .catch((error: unknown) => {
            throw explainRefusal(`upgrading ${cluster.metadata.name}`, error);
          });
        if (options.dryRun) terminal.say("Dry run: nothing was changed.");
        else if (options.wait) await waitForReady({ terminal, session, timeoutMs: options.timeout }, upgraded);
        else terminal.say(followHint(cluster));
      });
    });
}
