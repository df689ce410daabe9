import { existsSync } from "node:fs";
import { join } from "node:path";
import { Unavailable } from "@butler/std";

/** Something that keeps the engine from running on this machine, and what to do about it. */
export interface Obstacle {
  readonly what: string;
  readonly remedy: string;
}

/** What is known of the machine. */
export interface MachineFacts {
  readonly platform: string;
  readonly userId: number;
  /** The folder on whose disk the engine lives. */
  readonly home: string;
  readonly freeDiskBytes: number;
  /** Whether the engine was there before: it has taken most of its space already. */
  readonly hasEngine: boolean;
  readonly memoryBytes: number;
  /** Programs of the distribution that were not found. */
  readonly missingPrograms: readonly string[];
  readonly hasNetworkNamespaces: boolean;
  readonly hasOverlay: boolean;
}

/** What the engine uses of the distribution, with the Debian package that holds it. */
export const neededPrograms: Readonly<Record<string, string>> = {
  ip: "iproute2",
  iptables: "iptables",
  "iptables-restore": "iptables",
  conntrack: "conntrack",
  mount: "mount",
  nsenter: "util-linux",
};

const leastDiskBytes = { forNew: 6 * 2 ** 30, forPresent: 2 ** 30 };
const leastMemoryBytes = 2 * 2 ** 30;

/** Everything that keeps the engine from running here. Empty on a machine that is fit. */
export function findObstacles(facts: MachineFacts): Obstacle[] {
  const elsewhere = "Use an existing cluster instead: kubectl apply --server-side -f deploy/crds.";
  const gib = (bytes: number): string => `${(bytes / 2 ** 30).toFixed(1)} GiB`;
  const neededBytes = facts.hasEngine ? leastDiskBytes.forPresent : leastDiskBytes.forNew;
  // Elsewhere nothing else that is missing matters.
  if (facts.platform !== "linux") {
    return [{ what: `the engine runs on Linux, not on ${facts.platform}`, remedy: elsewhere }];
  }
  const checks: readonly (Obstacle | false)[] = [
    facts.userId !== 0 && { what: "only root can make namespaces and cgroups", remedy: "Run the command with sudo." },
    !facts.hasNetworkNamespaces && { what: "the kernel has no network namespaces", remedy: elsewhere },
    !facts.hasOverlay && { what: "the kernel has no overlay file system", remedy: "Load it with: modprobe overlay" },
    facts.freeDiskBytes < neededBytes && {
      what: `only ${gib(facts.freeDiskBytes)} of disk are free in ${facts.home}, and ${gib(neededBytes)} are needed`,
      remedy: facts.hasEngine
        ? `Free some on the disk that holds ${facts.home}.`
        : "Free some, or set BUTLER_HOME to a folder on a larger disk.",
    },
    facts.memoryBytes < leastMemoryBytes && {
      what: `the machine has ${gib(facts.memoryBytes)} of memory, and ${gib(leastMemoryBytes)} are needed`,
      remedy: elsewhere,
    },
    facts.missingPrograms.length > 0 && {
      what: `these programs are missing: ${facts.missingPrograms.join(", ")}`,
      remedy: `Install the packages ${packagesOf(facts.missingPrograms).join(", ")}.`,
    },
  ];
  return checks.filter((check) => check !== false);
}

/** The Debian packages that hold the given programs. */
export function packagesOf(programs: readonly string[]): string[] {
  return [...new Set(programs.map((program) => neededPrograms[program] ?? program))].sort();
}

/** The needed programs that are in none of the folders. */
export function findMissingPrograms(
  folders = ["/usr/local/sbin", "/usr/sbin", "/sbin", "/usr/local/bin", "/usr/bin", "/bin"],
): string[] {
  return Object.keys(neededPrograms).filter((program) => !folders.some((folder) => existsSync(join(folder, program))));
}

/** Fails, naming each obstacle, with the remedies as what to do next. */
export function refuseObstacles(obstacles: readonly Obstacle[]): void {
  if (obstacles.length === 0) return;
  throw new Unavailable(`the engine cannot run here: ${obstacles.map(({ what }) => what).join("; ")}`, {
    hint: remediesOf(obstacles),
  });
}

/** What to do about several things, each said once. */
export function remediesOf(obstacles: readonly Obstacle[]): string {
  return [...new Set(obstacles.map(({ remedy }) => remedy))].join("\n");
}
