import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rmdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

const mountPoint = "/sys/fs/cgroup";

/** Whether the machine uses cgroup v2 only. */
export function hasCgroupV2(): boolean {
  return existsSync(join(mountPoint, "cgroup.controllers"));
}

/** Creates the engine's subtree in every hierarchy, below which the kubelet puts its pods. */
export async function createCgroups(name: string): Promise<void> {
  for (const hierarchy of await hierarchies()) {
    const folder = join(hierarchy, name);
    await mkdir(folder, { recursive: true });
    // In cgroup v1 a new cpuset has no CPUs, and nothing can run in it.
    for (const setting of ["cpuset.mems", "cpuset.cpus"]) {
      const parent = join(hierarchy, setting);
      if (existsSync(parent)) await writeFile(join(folder, setting), await readFile(parent, "utf8"));
    }
  }
}

/** Removes the engine's subtree. No process may run in it. */
export async function removeCgroups(name: string): Promise<void> {
  for (const hierarchy of await hierarchies()) await removeTree(join(hierarchy, name));
}

/** The processes in the engine's subtree. */
export async function cgroupProcesses(name: string): Promise<number[]> {
  const pids = new Set<number>();
  for (const hierarchy of await hierarchies()) await collectProcesses(join(hierarchy, name), pids);
  return [...pids];
}

async function collectProcesses(folder: string, pids: Set<number>): Promise<void> {
  if (!existsSync(folder)) return;
  const text = await readFile(join(folder, "cgroup.procs"), "utf8").catch(() => "");
  for (const line of text.split("\n")) if (line !== "") pids.add(Number(line));
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) await collectProcesses(join(folder, entry.name), pids);
  }
}

async function hierarchies(): Promise<string[]> {
  if (hasCgroupV2()) return [mountPoint];
  const names = await readdir(mountPoint, { withFileTypes: true });
  return names.filter((entry) => entry.isDirectory()).map(({ name }) => join(mountPoint, name));
}

async function removeTree(folder: string): Promise<void> {
  if (!existsSync(folder)) return;
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) await removeTree(join(folder, entry.name));
  }
  await rmdir(folder);
}
