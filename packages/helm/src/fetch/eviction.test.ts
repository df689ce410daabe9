import fc from "fast-check";
import { expect, it } from "vitest";
import { planEviction } from "./eviction.ts";

const file = fc.record({ path: fc.uuid(), bytes: fc.nat(1000), usedMs: fc.nat(1000) });
const sum = (files: readonly { readonly bytes: number }[]) => files.reduce((total, { bytes }) => total + bytes, 0);

it("evicts as few of the least recently used files as needed, and none in use", () => {
  fc.assert(
    fc.property(fc.array(file), fc.nat(5000), fc.nat(1000), (files, bytes, unusedSinceMs) => {
      const gone = planEviction(files, { bytes, unusedSinceMs });
      const left = files.filter((one) => !gone.includes(one));
      expect(gone.every(({ usedMs }) => usedMs <= unusedSinceMs)).toBe(true);
      expect(gone.every((one) => left.every((other) => one.usedMs <= other.usedMs))).toBe(true);
      const isRoom = sum(left) <= bytes;
      expect(isRoom || left.every(({ usedMs }) => usedMs > unusedSinceMs)).toBe(true);
      expect(gone.length === 0 || sum(left) + (gone.at(-1)?.bytes ?? 0) > bytes).toBe(true);
    }),
  );
});
