import { parseKubernetesVersion, TenantCluster, upgradeFault } from "@butler/api";
import { type Terminal, timeoutOption } from "@butler/cli-kit";
import { keyOf } from "@butler/resource";
import { InvalidInput } from "@butler/std";
import { type Command, Option } from "commander";
import { withSession } from "@butler/cli-session";
import { clusterCommand, type ClusterOptions, requireName } from "./arguments.ts";
import { wantedWorkers } from "./cluster-view.ts";
import { findCluster } from "./find-cluster.ts";
import { explainRefusal } from "./refusal.ts";
import { followHint, waitForReady } from "./wait-for-cluster.ts";

interface UpgradeOptions extends ClusterOptions {
  readonly to: string;
  readonly dryRun?: boolean;
  readonly wait?: boolean;
  readonly timeout: number;
}

/** `butlerctl cluster upgrade`. */
export function upgradeCommand(terminal: Terminal): Command {
  return clusterCommand("upgrade", "Move a cluster to another Kubernetes version", [
    "butlerctl cluster upgrade blue --to v1.36.3",
    "butlerctl cluster upgrade blue --to v1.36.3 --dry-run",
  ])
    .addOption(new Option("--to <version>", "Kubernetes version to go to").makeOptionMandatory())
    .option("--dry-run", "say what would happen, and do nothing")
    .option("--wait", "wait until all runs the new version")
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
        if (options.dryRun) terminal.say("Nothing was done: this was a dry run.");
        else if (options.wait) await waitForReady({ terminal, session, timeoutMs: options.timeout }, upgraded);
        else terminal.say(followHint(cluster));
      });
    });
}

/** What an upgrade comes to: the version to ask for (undefined when there is nothing to do), and what to tell. */
export interface UpgradePlan {
  readonly version: string | undefined;
  readonly lines: readonly string[];
}

/** What an upgrade would do; throws when it cannot be. */
export function planUpgrade(cluster: TenantCluster, to: string): UpgradePlan {
  const { name } = cluster.metadata;
  const version = parseKubernetesVersion(to)?.text ?? to;
  const { running, wanted } = versionsOf(cluster);
  // Both count: what runs cannot skip a version, and what was asked for is not taken back on the way.
  const fault = [wanted, running]
    .map((from) => upgradeFault(from ?? version, version))
    .find((text) => text !== undefined);
  if (fault !== undefined) throw new InvalidInput(`${name} ${fault}`);
  if (wanted === version) return { version: undefined, lines: [`${name} is asked to have ${version} already.`] };
  const workers = wantedWorkers(cluster);
  const machines =
    workers === 1
      ? "the worker machine is replaced by a new one"
      : `the ${workers} worker machines are replaced by new ones, step by step`;
  return {
    version,
    lines: [
      `${name} goes from ${running ?? wanted ?? "an unknown version"} to ${version}:`,
      "  1. the control plane; the API goes on answering meanwhile",
      `  2. ${machines}; pods move to them`,
      "A minor version cannot be taken back afterwards.",
    ],
  };
}

function versionsOf({ spec, status }: TenantCluster): { running: string | undefined; wanted: string | undefined } {
  const running = status?.observedState?.kubernetesVersion;
  return { running, wanted: spec.kubernetesVersion ?? running };
}
