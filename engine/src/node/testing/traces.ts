import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { runCommand } from "../run-command.ts";

/** The engines to look for: other engines may run on the machine at the same time. */
export interface TraceSubject {
  readonly home: string;
  readonly names: readonly string[];
  readonly slots: readonly number[];
}

/** Everything that the engines have left behind on the machine, as lines. */
export async function findTraces({ home, names, slots }: TraceSubject): Promise<string[]> {
  const interfaces = new RegExp(`\\bbutler(${slots.join("|")})[hn]?\\b`, "i");
  const commands = await Promise.all([
    linesOf(["ip", "-o", "link"], interfaces),
    linesOf(["ip", "netns", "list"], interfaces),
    linesOf(["ip", "route"], interfaces),
    linesOf(["iptables", "-t", "nat", "-S"], interfaces),
  ]);
  const mounts = (await readFile("/proc/self/mounts", "utf8")).split("\n").filter((line) => line.includes(home));
  const groups = new Set(names.map((name) => `butler-${name}`));
  return [...commands.flat(), ...mounts, ...(await processes(home)), ...(await cgroups(groups))];
}

async function linesOf(command: Parameters<typeof runCommand>[0], pattern: RegExp): Promise<string[]> {
  return (await runCommand(command)).split("\n").filter((line) => pattern.test(line));
}

async function processes(home: string): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir("/proc")) {
    if (!/^\d+$/.test(entry)) continue;
    const command = (await readFile(join("/proc", entry, "cmdline"), "utf8").catch(() => "")).replaceAll("\0", " ");
    if (command.includes(home)) found.push(command);
  }
  return found;
}

async function cgroups(names: ReadonlySet<string>): Promise<string[]> {
  const found: string[] = [];
  for (const hierarchy of await readdir("/sys/fs/cgroup", { withFileTypes: true })) {
    if (!hierarchy.isDirectory()) continue;
    const inside = await readdir(join("/sys/fs/cgroup", hierarchy.name)).catch(() => []);
    const left = [hierarchy.name, ...inside].filter((name) => names.has(name));
    found.push(...left.map((name) => `cgroup ${hierarchy.name} ${name}`));
  }
  return found;
}
