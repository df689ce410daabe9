import { existsSync } from "node:fs";
import { mkdir, readFile, statfs } from "node:fs/promises";
import { totalmem } from "node:os";
import { findMissingPrograms, type MachineFacts } from "./machine-checks.ts";

/** Looks at this machine. */
export async function readMachineFacts(home: string): Promise<MachineFacts> {
  await mkdir(home, { recursive: true }).catch(() => undefined);
  const { bavail, bsize } = await statfs(existsSync(home) ? home : "/");
  const fileSystems = await readFile("/proc/filesystems", "utf8").catch(() => "");
  return {
    platform: process.platform,
    userId: process.getuid?.() ?? -1,
    freeDiskBytes: bavail * bsize,
    memoryBytes: totalmem(),
    missingPrograms: findMissingPrograms(),
    hasNetworkNamespaces: existsSync("/proc/self/ns/net"),
    hasOverlay: fileSystems.includes("overlay") || existsSync("/sys/module/overlay"),
  };
}
