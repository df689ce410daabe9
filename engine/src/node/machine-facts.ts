import { existsSync } from "node:fs";
import { readFile, statfs } from "node:fs/promises";
import { totalmem } from "node:os";
import { dirname } from "node:path";
import { findMissingPrograms, type MachineFacts } from "./machine-checks.ts";

/** Looks at this machine and changes nothing. The data's folder tells by its being there that the engine was before. */
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

/** The room on the disk that holds a folder, or will hold it. */
export async function freeBytes(folder: string): Promise<number> {
  let present = folder;
  while (!existsSync(present)) present = dirname(present);
  const { bavail, bsize } = await statfs(present);
  return bavail * bsize;
}

/** In a container the machine's memory is not all there for us. */
function memoryBytes(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}
