import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findMarkedProcesses } from "../../supervisor/service-process.ts";
import { cgroupProcesses, removeCgroups } from "../cgroups.ts";
import { findSlot } from "../engine-slots.ts";
import { engineCgroup, killLeftovers } from "../leftovers.ts";
import type { LocalEngine } from "../local-engine.ts";
import { removeNetwork } from "../network.ts";
import { networkLayout } from "../network-layout.ts";

/**
 * The state of an engine after a power loss: every process is killed at once, pods included, and everything that is
 * only in memory is removed (mounts, network, cgroups, the slot registry). Data that the kernel had not written to disk
 * yet cannot be reverted here; files that a power loss typically empties are emptied instead.
 */
export async function losePower(engine: LocalEngine): Promise<void> {
  const { paths, name } = engine;
  const slot = await findSlot(paths);
  for (;;) {
    const pids = await processesOf(engine);
    if (pids.length === 0) break;
    for (const pid of pids) kill(pid);
  }
  await killLeftovers(paths);
  await removeCgroups(engineCgroup(name));
  if (slot !== undefined) {
    await removeNetwork(networkLayout(slot));
    await rm(join("/run/butler/slots", String(slot)), { force: true });
  }
  const { pki } = paths.controlPlane;
  const emptied = [
    join(paths.supervisor, "status.json"),
    join(paths.config, "kubelet.json"),
    join(paths.config, "containerd.toml"),
    join(pki, "kube-scheduler.crt"),
    join(pki, "kube-apiserver.key"),
  ];
  for (const file of emptied) await writeFile(file, "");
}

async function processesOf({ paths, name }: LocalEngine): Promise<number[]> {
  const named: number[] = [];
  for (const entry of await readdir("/proc")) {
    if (!/^\d+$/.test(entry)) continue;
    const command = await readFile(join("/proc", entry, "cmdline"), "utf8").catch(() => "");
    if (command.includes(paths.directory)) named.push(Number(entry));
  }
  const marked = findMarkedProcesses(paths.supervisor).map(({ identity }) => identity.pid);
  return [...new Set([...named, ...marked, ...(await cgroupProcesses(engineCgroup(name)))])];
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // The process has exited in the meantime.
  }
}
