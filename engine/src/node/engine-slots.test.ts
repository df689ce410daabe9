import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { enginePaths } from "./engine-paths.ts";
import { findSlot, releaseSlot, takeSlot } from "./engine-slots.ts";
import { engineSlots } from "./network-layout.ts";

let folder: string;
let registry: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "butler-slots-"));
  registry = join(folder, "registry");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const engineIn = (home: string, name: string) => enginePaths(name, join(folder, home));

describe("slots", () => {
  it("differ between engines, also of different homes, that ask at once", async () => {
    const engines = [engineIn("a", "one"), engineIn("a", "two"), engineIn("b", "one"), engineIn("b", "two")];
    const slots = await Promise.all(engines.map((paths) => takeSlot(paths, registry)));
    expect(new Set(slots)).toEqual(new Set([0, 1, 2, 3]));
  });

  it("stay with their engine, and are free again when given back or when the engine is gone", async () => {
    const [one, two] = [engineIn("a", "one"), engineIn("a", "two")];
    expect(await takeSlot(one, registry)).toBe(0);
    expect(await takeSlot(two, registry)).toBe(1);
    expect(await takeSlot(one, registry)).toBe(0);
    await releaseSlot(0, registry);
    expect(await takeSlot(engineIn("b", "new"), registry)).toBe(0);
    expect(await findSlot(one, registry)).toBeUndefined();
    await rm(two.directory, { recursive: true });
    expect(await takeSlot(engineIn("b", "newer"), registry)).toBe(1);
  });

  it("run out with a remedy", async () => {
    for (let at = 0; at < engineSlots; at++) await takeSlot(engineIn("a", `e${at}`), registry);
    await expect(takeSlot(engineIn("a", "late"), registry)).rejects.toThrow("slots of this machine are taken");
  });
});
