import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { runCommand } from "../run-command.ts";

/** Everything on the machine that an engine might leave behind, as sorted lines. */
export async function leftTraces(): Promise<string[]> {
  const commands = await Promise.all([
    linesOf(["ip", "-o", "link"], /butler\d+h/),
    linesOf(["ip", "netns", "list"], /^butler/),
    linesOf(["ip", "route"], /butler/),
    linesOf(["iptables", "-t", "nat", "-S"], /BUTLER/).catch(() => []),
  ]);
  const mounts = (await readFile("/proc/self/mounts", "utf8"))
    .split("\n")
    .filter((line) => line.includes("butler-engines-"));
  return [...commands.flat(), ...mounts, ...(await processes()), ...(await cgroups())].sort();
}

async function linesOf(command: Parameters<typeof runCommand>[0], pattern: RegExp): Promise<string[]> {
  return (await runCommand(command)).split("\n").filter((line) => pattern.test(line));
}

async function processes(): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir("/proc")) {
    if (!/^\d+$/.test(entry)) continue;
    const command = (await readFile(join("/proc", entry, "cmdline"), "utf8").catch(() => "")).replaceAll("\0", " ");
    if (command.includes("butler-engines-")) found.push(command);
  }
  return found;
}

async function cgroups(): Promise<string[]> {
  const found: string[] = [];
  for (const hierarchy of await readdir("/sys/fs/cgroup", { withFileTypes: true })) {
    if (!hierarchy.isDirectory()) continue;
    if (hierarchy.name.startsWith("butler-")) found.push(hierarchy.name);
    const inside = await readdir(join("/sys/fs/cgroup", hierarchy.name)).catch(() => []);
    found.push(...inside.filter((name) => name.startsWith("butler-")).map((name) => `${hierarchy.name}/${name}`));
  }
  return found;
}
