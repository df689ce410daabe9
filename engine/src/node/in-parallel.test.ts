import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { inParallel } from "./in-parallel.ts";

describe("inParallel", () => {
  it("returns all results in order", async () => {
    const [first, second] = await inParallel<[string, number]>([() => pause(5, "a"), () => Promise.resolve(2)]);
    expect([first, second]).toEqual(["a", 2]);
  });

  it("aborts the others on a failure, waits for them and throws the first error", async () => {
    const ended: string[] = [];
    const obedient = (signal: AbortSignal) =>
      pause(60_000, undefined, { signal }).finally(() => ended.push("obedient"));
    const deaf = () => pause(20).then(() => ended.push("deaf"));
    const failing = () => Promise.reject(new Error("first"));
    await expect(inParallel([obedient, failing, deaf])).rejects.toThrow("first");
    expect(ended).toEqual(["obedient", "deaf"]);
  });

  it("aborts with the caller's signal", async () => {
    const stopping = new AbortController();
    const wait = (signal: AbortSignal) => pause(60_000, undefined, { signal });
    const both = inParallel([wait, wait], stopping.signal);
    stopping.abort();
    await expect(both).rejects.toMatchObject({ name: "AbortError" });
  });
});
