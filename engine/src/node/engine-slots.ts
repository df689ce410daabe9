import { Conflict, Unavailable } from "@butler/std";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm, rmdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { waitForDirectoryLock } from "../directory-lock.ts";
import { replaceFile } from "../replace-file.ts";
import type { EnginePaths } from "./engine-paths.ts";
import { engineSlots } from "./network-layout.ts";

/**
 * The registry of the machine's slots: a file for each, containing the directory of its engine. It is shared by all
 * engines, whatever their home, because interfaces and routes belong to the machine.
 */
const machineSlots = "/run/butler/slots";

/** A slot that is assigned to an engine. */
export interface TakenSlot {
  readonly slot: number;
  /** Whether the slot is newly assigned: anything found in it is a leftover of another engine. */
  readonly isNew: boolean;
  /** The directory of the previous engine, if any. */
  readonly formerOwner: string | undefined;
}

/** The registry, and the slots that cannot be used; both have a default. */
export interface SlotOptions {
  readonly registry?: string;
  readonly isUsable?: (slot: number) => boolean;
}

/** The slot of an engine, or undefined. */
export async function findSlot(paths: EnginePaths, registry = machineSlots): Promise<number | undefined> {
  const kept = parseSlot(await readText(paths.slot));
  if (kept !== undefined) {
    const owner = await readText(join(registry, String(kept)));
    return owner === undefined || owner === paths.directory ? kept : undefined;
  }
  // The engine's own slot file is lost with its directory.
  return (await readRegistry(registry)).find(({ owner }) => owner === paths.directory)?.slot;
}

/** Assigns a slot to an engine, or returns its current one. Concurrent callers get different slots. */
export async function takeSlot(paths: EnginePaths, options: SlotOptions = {}): Promise<TakenSlot> {
  const { registry = machineSlots, isUsable = () => true } = options;
  await mkdir(registry, { recursive: true, mode: 0o755 });
  const lock = await waitForDirectoryLock({ path: join(registry, ".lock"), purpose: "assign an engine slot" });
  try {
    const entries = await readRegistry(registry);
    refuseNamesake(paths, entries);
    const neighbours = await readNotes(dirname(paths.directory));
    const mayTake = (slot: number): boolean => !neighbours.has(slot) && isUsable(slot);
    const slot = (await findSlot(paths, registry)) ?? firstFreeSlot(entries, mayTake);
    if (slot === undefined) {
      throw new Unavailable(`all ${engineSlots} engine slots on this machine are in use`, {
        hint:
          "Reset an engine (butleradm local reset --name NAME), or move other networks on this machine out of the range " +
          "10.200.0.0 to 10.231.255.255.",
      });
    }
    const isNew = parseSlot(await readText(paths.slot)) !== slot;
    await mkdir(paths.directory, { recursive: true, mode: 0o755 });
    replaceFile(paths.slot, String(slot), { flush: true });
    replaceFile(join(registry, String(slot)), paths.directory);
    return { slot, isNew, formerOwner: entries.find((entry) => entry.slot === slot)?.owner };
  } finally {
    await lock?.release();
  }
}

/** Releases a slot. After the last one the registry is removed. */
export async function releaseSlot(slot: number, registry = machineSlots): Promise<void> {
  await rm(join(registry, String(slot)), { force: true });
  // Fails while the directory is not empty, for example because of another engine's slot or lock.
  for (const folder of [registry, dirname(registry)]) await rmdir(folder).catch(() => undefined);
}

interface RegistryEntry {
  readonly slot: number;
  readonly owner: string;
}

async function readRegistry(registry: string): Promise<RegistryEntry[]> {
  const entries: RegistryEntry[] = [];
  for (const name of await readdir(registry).catch(() => [])) {
    const slot = parseSlot(name);
    const owner = slot === undefined ? undefined : await readText(join(registry, name));
    if (slot !== undefined && owner !== undefined) entries.push({ slot, owner });
  }
  return entries;
}

/** The slots of the engines of one home, which stay assigned when a reboot has emptied the registry. */
async function readNotes(home: string): Promise<Set<number>> {
  const notes = await Promise.all(
    (await readdir(home).catch(() => [])).map(async (name) => parseSlot(await readText(join(home, name, "slot")))),
  );
  return new Set(notes.filter((slot) => slot !== undefined));
}

/** Whether the cgroups of this engine's name belong to another engine, so that processes in them must be ignored. */
export async function hasNamesake(paths: EnginePaths, registry = machineSlots): Promise<boolean> {
  return findNamesake(paths, await readRegistry(registry)) !== undefined;
}

function findNamesake({ directory }: EnginePaths, entries: readonly RegistryEntry[]): RegistryEntry | undefined {
  return entries.find(
    ({ owner }) => owner !== directory && basename(owner) === basename(directory) && existsSync(owner),
  );
}

/** Cgroups have the engine's name, so that two engines of the same name would treat each other's pods as their own. */
function refuseNamesake(paths: EnginePaths, entries: readonly RegistryEntry[]): void {
  const namesake = findNamesake(paths, entries);
  if (namesake === undefined) return;
  const { directory } = paths;
  throw new Conflict(`an engine named ${basename(directory)} already exists in ${namesake.owner}`, {
    hint: `Choose another --name, or delete that engine: BUTLER_HOME=${dirname(namesake.owner)} butleradm local reset --name ${basename(directory)}`,
  });
}

function firstFreeSlot(entries: readonly RegistryEntry[], mayTake: (slot: number) => boolean): number | undefined {
  // The slot of an engine whose directory was removed is free.
  const taken = new Set(entries.filter(({ owner }) => existsSync(owner)).map(({ slot }) => slot));
  return Array.from({ length: engineSlots }, (_, slot) => slot).find((slot) => !taken.has(slot) && mayTake(slot));
}

/** A slot file that a power loss emptied contains no slot. */
function parseSlot(text: string | undefined): number | undefined {
  return text !== undefined && /^\d+$/.test(text) && Number(text) < engineSlots ? Number(text) : undefined;
}

async function readText(file: string): Promise<string | undefined> {
  return readFile(file, "utf8").catch(() => undefined);
}
