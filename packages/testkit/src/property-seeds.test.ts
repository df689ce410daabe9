import fc from "fast-check";
import { expect, it } from "vitest";

/** The values that a property was run with. */
function drawn(): number[] {
  const values: number[] = [];
  fc.assert(fc.property(fc.nat(), (value) => void values.push(value)));
  return values;
}

it("a property uses the same values each time, without any setup in its file", () => {
  expect(drawn()).toEqual(drawn());
  expect(new Set(drawn()).size).toBeGreaterThan(10);
});
