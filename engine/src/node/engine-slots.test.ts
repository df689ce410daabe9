import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { enginePaths } from "./engine-paths.ts";
import { findSlot, hasNamesake, releaseSlot, takeSlot } from "./engine-slots.ts";
import { engineSlots } from "./network-layout.ts";

let folder: string;
let registry: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "butler-slots-"));
  registry = join(folder, "run", "registry");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const engineIn = (home: string, name: string) => enginePaths(name, join(folder, home));
const take = async (home: string, name: string) => (await takeSlot(engineIn(home, name), { registry })).slot;

describe("slots", () => {
  it("are unique for concurrent engines, including those of different homes", async () => {
    const slots = await Promise.all([take("a", "one"), take("a", "two"), take("b", "three"), take("b", "four")]);
    expect(new Set(slots)).toEqual(new Set([0, 1, 2, 3]));
  });

  it("stay with their engine, and are free again when released or when the engine is removed", async () => {
    const [one, two] = [engineIn("a", "one"), engineIn("a", "two")];
    expect(await takeSlot(one, { registry })).toEqual({ slot: 0, isNew: true, formerOwner: undefined });
    expect(await take("a", "two")).toBe(1);
    expect(await takeSlot(one, { registry })).toEqual({ slot: 0, isNew: false, formerOwner: one.directory });
    await releaseSlot(0, registry);
    expect(await take("b", "new")).toBe(0);
    expect(await findSlot(one, registry)).toBeUndefined();
    await rm(two.directory, { recursive: true });
    expect(await takeSlot(engineIn("b", "newer"), { registry })).toEqual({
      slot: 1,
      isNew: true,
      formerOwner: two.directory,
    });
  });

  it("are recognized as leftovers when the engine's directory was removed and recreated", async () => {
    const one = engineIn("a", "one");
    await takeSlot(one, { registry });
    await rm(one.directory, { recursive: true });
    expect(await findSlot(one, registry)).toBe(0);
    expect(await takeSlot(one, { registry })).toEqual({ slot: 0, isNew: true, formerOwner: one.directory });
  });

  it("are kept after a reboot, which empties the registry", async () => {
    await take("a", "other");
    expect(await take("a", "one")).toBe(1);
    await rm(registry, { recursive: true });
    expect(await take("a", "newcomer")).toBe(2);
    expect(await take("a", "one")).toBe(1);
    expect(await take("a", "other")).toBe(0);
  });

  it("are reassigned when a power loss emptied the slot file", async () => {
    await take("a", "other");
    expect(await take("a", "one")).toBe(1);
    await writeFile(engineIn("a", "one").slot, "");
    await rm(registry, { recursive: true });
    expect(await findSlot(engineIn("a", "one"), registry)).toBeUndefined();
    expect(await take("a", "other")).toBe(0);
    expect(await take("a", "one")).toBe(1);
  });

  it("are not assigned if other interfaces use their addresses", async () => {
    const taken = await takeSlot(engineIn("a", "one"), { registry, isUsable: (slot) => slot > 2 });
    expect(taken.slot).toBe(3);
  });

  it("are denied to a second engine of the same name", async () => {
    await take("a", "one");
    await expect(take("b", "one")).rejects.toMatchObject({
      message: `an engine named one already exists in ${engineIn("a", "one").directory}`,
      hint: expect.stringContaining("another --name") as unknown,
    });
  });

  it("detect processes that belong to another engine of the same name", async () => {
    await take("a", "one");
    const known = (home: string, name: string): Promise<boolean> => hasNamesake(engineIn(home, name), registry);
    expect([await known("a", "one"), await known("b", "one"), await known("b", "two")]).toEqual([false, true, false]);
    await rm(engineIn("a", "one").directory, { recursive: true });
    expect(await known("b", "one")).toBe(false);
  });

  it("fail with a remedy when none is free", async () => {
    for (let at = 0; at < engineSlots; at++) await take("a", `e${at}`);
    await expect(take("a", "late")).rejects.toThrow("slots on this machine are in use");
  });

  it("leave no files behind after the last engine", async () => {
    await take("a", "one");
    await take("a", "two");
    await releaseSlot(0, registry);
    expect(existsSync(registry)).toBe(true);
    await releaseSlot(1, registry);
    expect(existsSync(join(folder, "run"))).toBe(false);
  });
});
