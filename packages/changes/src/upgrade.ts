import { parseKubernetesVersion, type TenantCluster, upgradeFault } from "@butler/api";
import { InvalidInput } from "@butler/std";
import { wantedWorkers } from "@butler/why";

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
