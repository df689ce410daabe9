import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Unavailable } from "@butler/std";
import { waitForDirectoryLock } from "../directory-lock.ts";
import { enginePaths } from "./engine-paths.ts";
import { engineSlots } from "./network-layout.ts";

/** The slot of an engine: the one that it has, or undefined when it was never started. */
export async function findSlot(name: string, home: string): Promise<number | undefined> {
  try {
    return Number(await readFile(enginePaths(name, home).slot, "utf8"));
  } catch {
    return undefined;
  }
}

/** Gives an engine a slot of its own, or the one that it has. Two that ask at once get different ones. */
export async function takeSlot(name: string, home: string): Promise<number> {
  await mkdir(home, { recursive: true, mode: 0o755 });
  const lock = await waitForDirectoryLock({ path: join(home, ".slots.lock"), purpose: `give ${name} a slot` });
  try {
    const own = await findSlot(name, home);
    if (own !== undefined) return own;
    const taken = await takenSlots(home);
    const free = Array.from({ length: engineSlots }, (_, slot) => slot).find((slot) => !taken.has(slot));
    if (free === undefined) {
      throw new Unavailable(`all ${engineSlots} engine slots of this machine are taken`, {
        hint: "Reset an engine first.",
      });
    }
    const { directory, slot } = enginePaths(name, home);
    await mkdir(directory, { recursive: true, mode: 0o755 });
    await writeFile(slot, String(free));
    return free;
  } finally {
    await lock?.release();
  }
}

async function takenSlots(home: string): Promise<Set<number>> {
  const names = (await readdir(home, { withFileTypes: true })).filter((entry) => entry.isDirectory());
  const taken = new Set<number>();
  for (const { name } of names) {
    if (name.startsWith(".")) continue;
    const slot = await findSlot(name, home);
    if (slot !== undefined) taken.add(slot);
  }
  return taken;
}
