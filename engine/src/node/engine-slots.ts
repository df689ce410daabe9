import { existsSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Unavailable } from "@butler/std";
import { waitForDirectoryLock } from "../directory-lock.ts";
import type { EnginePaths } from "./engine-paths.ts";
import { engineSlots } from "./network-layout.ts";

/**
 * Where the machine's slots are written down: a file for each, holding the directory of the engine that has it. One place
 * for all engines, wherever they live, because interfaces and routes are the machine's.
 */
const machineSlots = "/run/butler/slots";

/** The slot of an engine, or undefined when it has none. */
export async function findSlot(paths: EnginePaths, registry = machineSlots): Promise<number | undefined> {
  const kept = await readText(paths.slot);
  if (kept === undefined) return undefined;
  const owner = await readText(join(registry, kept));
  return owner === undefined || owner === paths.directory ? Number(kept) : undefined;
}

/** Gives an engine a slot of its own, or the one that it has. Two that ask at once get different ones. */
export async function takeSlot(paths: EnginePaths, registry = machineSlots): Promise<number> {
  await mkdir(registry, { recursive: true, mode: 0o755 });
  const lock = await waitForDirectoryLock({ path: join(registry, ".lock"), purpose: "give an engine a slot" });
  try {
    const slot = (await findSlot(paths, registry)) ?? (await firstFreeSlot(registry));
    if (slot === undefined) {
      throw new Unavailable(`all ${engineSlots} engine slots of this machine are taken`, {
        hint: "Reset an engine first.",
      });
    }
    await mkdir(paths.directory, { recursive: true, mode: 0o755 });
    await writeFile(paths.slot, String(slot));
    await writeFile(join(registry, String(slot)), paths.directory);
    return slot;
  } finally {
    await lock?.release();
  }
}

/** Gives a slot back. */
export async function releaseSlot(slot: number, registry = machineSlots): Promise<void> {
  await rm(join(registry, String(slot)), { force: true });
}

async function firstFreeSlot(registry: string): Promise<number | undefined> {
  for (let slot = 0; slot < engineSlots; slot++) {
    const owner = await readText(join(registry, String(slot)));
    // An engine whose directory is gone needs its slot no more.
    if (owner === undefined || !existsSync(owner)) return slot;
  }
  return undefined;
}

async function readText(file: string): Promise<string | undefined> {
  return readFile(file, "utf8").catch(() => undefined);
}
