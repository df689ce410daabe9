import { existsSync } from "node:fs";
import { readFile, statfs } from "node:fs/promises";
import { totalmem } from "node:os";
import { dirname } from "node:path";
import { findMissingPrograms, type MachineFacts } from "./machine-checks.ts";

/** Inspects this machine without changing it. The engine existed before if its data directory exists. */
export async function readMachineFacts(home: string, data?: string): Promise<MachineFacts> {
  const fileSystems = await readFile("/proc/filesystems", "utf8").catch(() => "");
  return {
    platform: process.platform,
    userId: process.getuid?.() ?? -1,
    home,
    freeDiskBytes: await freeBytes(home),
    hasEngine: data !== undefined && existsSync(data),
    memoryBytes: memoryBytes(),
    missingPrograms: findMissingPrograms(),
    hasNetworkNamespaces: existsSync("/proc/self/ns/net"),
    hasOverlay: fileSystems.includes("overlay") || existsSync("/sys/module/overlay"),
  };
}

/** The free space on the disk of a directory that may not exist yet. */
export async function freeBytes(folder: string): Promise<number> {
  let present = folder;
  while (!existsSync(present)) present = dirname(present);
  const { bavail, bsize } = await statfs(present);
  return bavail * bsize;
}

/** In a container the machine's memory is not all available. */
function memoryBytes(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}
