import { existsSync } from "node:fs";
import { join } from "node:path";
import { Unavailable } from "@butler/std";

/** A problem that keeps the engine from running on this machine, and its remedy. */
export interface Problem {
  readonly what: string;
  readonly remedy: string;
}

/** Facts about the machine. */
export interface MachineFacts {
  readonly platform: string;
  readonly userId: number;
  /** The directory of the engine. */
  readonly home: string;
  readonly freeDiskBytes: number;
  /** Whether the engine exists already: it has allocated most of its space. */
  readonly hasEngine: boolean;
  readonly memoryBytes: number;
  /** Programs of the distribution that are missing. */
  readonly missingPrograms: readonly string[];
  readonly hasNetworkNamespaces: boolean;
  readonly hasOverlay: boolean;
}

/** The programs of the distribution that the engine uses, with their Debian packages. */
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

/** Everything that keeps the engine from running on this machine. Empty on a suitable machine. */
export function findMachineProblems(facts: MachineFacts): Problem[] {
  const elsewhere = "Use an existing cluster instead: kubectl apply --server-side -f deploy/crds.";
  const gib = (bytes: number): string => `${(bytes / 2 ** 30).toFixed(1)} GiB`;
  const neededBytes = facts.hasEngine ? leastDiskBytes.forPresent : leastDiskBytes.forNew;
  // On another operating system no other check matters.
  if (facts.platform !== "linux") {
    return [{ what: `the engine runs only on Linux, not on ${facts.platform}`, remedy: elsewhere }];
  }
  const checks: readonly (Problem | false)[] = [
    facts.userId !== 0 && { what: "only root can create namespaces and cgroups", remedy: "Run the command with sudo." },
    !facts.hasNetworkNamespaces && { what: "the kernel does not support network namespaces", remedy: elsewhere },
    !facts.hasOverlay && {
      what: "the kernel does not support the overlay file system",
      remedy: "Load it with: modprobe overlay",
    },
    facts.freeDiskBytes < neededBytes && {
      what: `not enough disk space in ${facts.home}: ${gib(facts.freeDiskBytes)} free, ${gib(neededBytes)} required`,
      remedy: facts.hasEngine
        ? `Free space on the disk that holds ${facts.home}.`
        : "Free disk space, or set BUTLER_HOME to a directory on a larger disk.",
    },
    facts.memoryBytes < leastMemoryBytes && {
      what: `not enough memory: the machine has ${gib(facts.memoryBytes)}, ${gib(leastMemoryBytes)} required`,
      remedy: elsewhere,
    },
    facts.missingPrograms.length > 0 && {
      what: `missing programs: ${facts.missingPrograms.join(", ")}`,
      remedy: `Install these packages: ${packagesOf(facts.missingPrograms).join(", ")}.`,
    },
  ];
  return checks.filter((check) => check !== false);
}

/** The Debian packages that hold the given programs. */
export function packagesOf(programs: readonly string[]): string[] {
  return [...new Set(programs.map((program) => neededPrograms[program] ?? program))].sort();
}

/** The required programs that are in none of the directories. */
export function findMissingPrograms(
  folders = ["/usr/local/sbin", "/usr/sbin", "/sbin", "/usr/local/bin", "/usr/bin", "/bin"],
): string[] {
  return Object.keys(neededPrograms).filter((program) => !folders.some((folder) => existsSync(join(folder, program))));
}

/** Throws an error that lists each problem, with the remedies as its hint. */
export function refuseProblems(problems: readonly Problem[]): void {
  if (problems.length === 0) return;
  throw new Unavailable(`the engine cannot run on this machine: ${problems.map(({ what }) => what).join("; ")}`, {
    hint: remediesOf(problems),
  });
}

/** The remedies of several problems, without duplicates. */
export function remediesOf(problems: readonly Problem[]): string {
  return [...new Set(problems.map(({ remedy }) => remedy))].join("\n");
}
