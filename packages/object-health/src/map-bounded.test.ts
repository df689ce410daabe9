import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mapBounded } from "./map-bounded.ts";

describe("mapBounded", () => {
  it("processes every item once, in order, within the concurrency limit", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 3 })),
        fc.integer({ min: 1, max: 4 }),
        async (items, width) => {
          let running = 0;
          let most = 0;
          const results = await mapBounded(items, width, async (turns) => {
            most = Math.max(most, ++running);
            for (let turn = 0; turn <= turns; turn++) await Promise.resolve();
            running -= 1;
            return turns * 2;
          });
          expect(results).toEqual(items.map((item) => item * 2));
          expect(most).toBe(Math.min(width, items.length));
          expect(running).toBe(0);
        },
      ),
    );
  });

  it("starts nothing more after a failure, and rethrows it", async () => {
    const begun: number[] = [];
    const work = mapBounded([1, 2, 3, 4, 5], 2, async (item) => {
      begun.push(item);
      await Promise.resolve();
      if (item === 1) throw new Error("one");
    });
    await expect(work).rejects.toThrow("one");
    await Promise.resolve();
    expect(begun.length).toBeLessThanOrEqual(3);
  });
});
