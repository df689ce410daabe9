import { sleep, systemClock } from "@butler/std";
import { readdir, readFile, readlink, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { findMarkedProcesses, identifyInBoot, isRunning } from "../supervisor/service-process.ts";
import { cgroupProcesses } from "./cgroups.ts";
import { type EnginePaths, enginePaths } from "./engine-paths.ts";
import { hasNamesake } from "./engine-slots.ts";
import { removeNetwork } from "./network.ts";
import type { NetworkLayout } from "./network-layout.ts";
import { runCommand } from "./run-command.ts";

const endsWithinMs = 5_000;

/** The cgroup below which the kubelet of an engine puts its pods. */
export function engineCgroup(name: string): string {
  return `butler-${name}`;
}

/**
 * Kills what a graceful shutdown has left of an engine: first supervisors that lost their directory, so that nothing is
 * restarted; then its programs, the processes in its cgroups, and the shims of its containerd.
 */
export async function killLeftovers(paths: EnginePaths): Promise<void> {
  const name = basename(paths.directory);
  await kill(await findPrograms((words) => isSupervisor(words, paths.supervisor)));
  await kill(findMarkedProcesses(paths.supervisor).map(({ identity }) => identity.pid));
  const shims = await findPrograms((words) => isShim(words, paths.containerdSocket));
  const pods = (await hasNamesake(paths)) ? [] : await cgroupProcesses(engineCgroup(name));
  await kill([...pods, ...shims]);
  await unmountBelow(paths.directory);
}

/** Cleans up a slot after an engine whose directory was removed while it ran. */
export async function clearSlot(layout: NetworkLayout, formerOwner: string | undefined): Promise<void> {
  if (formerOwner !== undefined) {
    await killLeftovers(enginePaths(basename(formerOwner), dirname(formerOwner)));
  }
  await kill(await processesInNamespace(layout));
  await removeNetwork(layout);
}

async function processesInNamespace({ namespace }: NetworkLayout): Promise<number[]> {
  const found = await stat(join("/run/netns", namespace)).catch(() => undefined);
  if (found === undefined) return [];
  const pids: number[] = [];
  for (const pid of await allProcesses()) {
    const link = await readlink(`/proc/${pid}/ns/net`).catch(() => "");
    if (link === `net:[${found.ino}]`) pids.push(pid);
  }
  return pids;
}

/** Unmounts everything below a directory, innermost first. */
async function unmountBelow(directory: string): Promise<void> {
  const mounts = (await readFile("/proc/self/mounts", "utf8"))
    .split("\n")
    .map((line) => decodeMountPath(line.split(" ")[1] ?? ""))
    .filter((path) => path.startsWith(`${directory}/`));
  for (const path of mounts.reverse()) await runCommand(["umount", "--lazy", path]).catch(() => undefined);
}

/** The kernel writes whitespace and backslashes as octal numbers. */
function decodeMountPath(text: string): string {
  return text.replaceAll(/\\([0-7]{3})/g, (_match, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
}

function isSupervisor(words: readonly string[], state: string): boolean {
  return words.some((word) => /\/supervisor\/(daemon|guardian)\.ts$/.test(word)) && words.includes(state);
}

/** A shim outlives its containerd by design; its command line identifies its engine. */
function isShim([program = "", ...words]: readonly string[], socket: string): boolean {
  return program.endsWith("/containerd-shim-runc-v2") && words.includes(socket);
}

async function findPrograms(isWanted: (words: readonly string[]) => boolean): Promise<number[]> {
  const found: number[] = [];
  for (const pid of await allProcesses()) {
    const words = (await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")).split("\0");
    if (isWanted(words)) found.push(pid);
  }
  return found;
}

async function allProcesses(): Promise<number[]> {
  return (await readdir("/proc")).filter((entry) => /^\d+$/.test(entry)).map(Number);
}

/** Kills processes and waits until they exit, if they do: one that waits for a broken disk may not. */
async function kill(pids: readonly number[]): Promise<void> {
  const identities = pids.map((pid) => identifyInBoot(pid)).filter((identity) => identity !== undefined);
  for (const { pid } of identities) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // The process has exited in the meantime.
    }
  }
  const deadline = systemClock.monotonicMs() + endsWithinMs;
  while (identities.some((identity) => isRunning(identity)) && systemClock.monotonicMs() < deadline) {
    await sleep(systemClock, 20);
  }
}
