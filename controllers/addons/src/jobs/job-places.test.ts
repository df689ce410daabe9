import { describe, expect, it } from "vitest";
import { placesFor } from "./job-places.ts";

describe("placesFor", () => {
  it.each([
    [1, 2],
    [2, 2],
    [3, 3],
    [64, 4],
  ])("%i processors", (processors, working) => expect(placesFor(processors).working).toBe(working));

  it("leaves places that no two teams can take", () => {
    const { running, reserved = 0, perTeam = 0 } = placesFor(2);
    expect(running - reserved).toBeGreaterThanOrEqual(2 * perTeam);
    expect(2 * (perTeam + 1)).toBeLessThanOrEqual(running);
    expect(reserved).toBeGreaterThan(0);
  });
});
