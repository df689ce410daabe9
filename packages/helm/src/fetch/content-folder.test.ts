import { createHash } from "node:crypto";
import { access, mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FakeClock } from "@butler/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ContentFolder } from "./content-folder.ts";
import { defaultFetchLimits } from "./limits.ts";

const hourMs = 3_600_000;
let folder: string;
let clock: FakeClock;

beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), "butler-content-")), "store");
  clock = new FakeClock();
});
afterEach(() => rm(join(folder, ".."), { recursive: true, force: true }));

const open = (storeBytes = 100): ContentFolder =>
  new ContentFolder({ folder, clock, limits: { ...defaultFetchLimits, storeBytes } });
const digestOf = (text: string): string => `sha256:${createHash("sha256").update(text).digest("hex")}`;
const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

async function put(store: ContentFolder, text: string): Promise<string> {
  const path = await store.newPath();
  await writeFile(path, text);
  return store.adopt(path, digestOf(text));
}

describe("a folder of content", () => {
  it("keeps content across processes, readable only by its user", async () => {
    const path = await put(open(), "chart");
    expect(await open().find(digestOf("chart"))).toBe(path);
    expect(await open().find(digestOf("other"))).toBeUndefined();
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect(await readdir(join(folder, "incoming"))).toEqual([]);
  });

  it("removes damaged content", async () => {
    const store = open();
    const path = await put(store, "chart");
    await writeFile(path, "chaRt");
    expect(await store.find(digestOf("chart"))).toBeUndefined();
    expect(await exists(path)).toBe(false);
  });

  it("evicts the least recently used content, never content in use", async () => {
    const store = open();
    const old = await put(store, "a".repeat(60));
    clock.advance(1000);
    const used = await put(store, "b".repeat(30));
    clock.advance(2 * hourMs);
    await store.find(digestOf("b".repeat(30)));
    const fresh = await put(store, "c".repeat(60));
    expect(await Promise.all([old, used, fresh].map(exists))).toEqual([false, true, true]);
    // Too much by now, but all of it in use.
    const another = await put(store, "d".repeat(60));
    expect(await Promise.all([used, fresh, another].map(exists))).toEqual([true, true, true]);
  });

  it("rejects more content when content in use exceeds its size several times", async () => {
    const store = open();
    const kept = await Promise.all(["a", "b", "c", "d", "e"].map((letter) => put(store, letter.repeat(80))));
    await expect(put(store, "f".repeat(80))).rejects.toMatchObject({ reason: "RepositoryTooLarge", isPassing: true });
    expect(await Promise.all(kept.map(exists))).toEqual([true, true, true, true, true]);
    clock.advance(2 * hourMs);
    expect(await exists(await put(store, "f".repeat(80)))).toBe(true);
  });

  it("is shared by several stores", async () => {
    const stores = [open(), open(), open()];
    const texts = Array.from({ length: 30 }, (_, at) => `chart ${at % 5}`);
    await Promise.all(texts.map((text, at) => put(stores[at % 3] ?? open(), text)));
    expect(await readdir(join(folder, "sha256"))).toHaveLength(5);
  });

  it("removes leftovers of dead processes, but no files still being written", async () => {
    await mkdir(join(folder, "incoming"), { recursive: true });
    for (const [name, ageMs] of [
      ["old", 2 * hourMs],
      ["new", 60_000],
    ] as const) {
      await writeFile(join(folder, "incoming", name), "x");
      const time = new Date(clock.now().getTime() - ageMs);
      await utimes(join(folder, "incoming", name), time, time);
    }
    await open().find(digestOf("x"));
    expect(await readdir(join(folder, "incoming"))).toEqual(["new"]);
  });
});
