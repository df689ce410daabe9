import { parseKubernetesVersion, type TenantCluster, upgradeFault } from "@butler/api";
import { InvalidInput } from "@butler/std";
import { wantedWorkers } from "@butler/diagnosis";

/** The plan of an upgrade: the version to set (undefined when there is nothing to do), and the lines to print. */
export interface UpgradePlan {
  readonly version: string | undefined;
  readonly lines: readonly string[];
}

/** Plans an upgrade; throws when it is not possible. */
export function planUpgrade(cluster: TenantCluster, to: string): UpgradePlan {
  const { name } = cluster.metadata;
  const version = parseKubernetesVersion(to)?.text ?? to;
  const { running, wanted } = versionsOf(cluster);
  // Check both: the running version must not skip a minor version, and a pending upgrade must not be downgraded.
  const fault = [wanted, running]
    .map((from) => upgradeFault(from ?? version, version))
    .find((text) => text !== undefined);
  if (fault !== undefined) throw new InvalidInput(`${name} ${fault}`);
  if (wanted === version) return { version: undefined, lines: [`${name} is already set to ${version}.`] };
  const workers = wantedWorkers(cluster);
  const machines =
    workers === 1
      ? "the worker machine is replaced"
      : `the ${workers} worker machines are replaced in a rolling update`;
  return {
    version,
    lines: [
      `Upgrade of ${name} from ${running ?? wanted ?? "an unknown version"} to ${version}:`,
      "  1. the control plane is upgraded; the API stays available",
      `  2. ${machines}; pods are rescheduled`,
      "A minor version upgrade cannot be rolled back.",
    ],
  };
}

function versionsOf({ spec, status }: TenantCluster): { running: string | undefined; wanted: string | undefined } {
  const running = status?.observedState?.kubernetesVersion;
  return { running, wanted: spec.kubernetesVersion ?? running };
}
