import { describe, expect, it } from "vitest";
import { placesFor } from "./job-places.ts";

describe("placesFor", () => {
  it.each([
    [1, { working: 2, running: 4 }],
    [2, { working: 2, running: 4 }],
    [3, { working: 3, running: 4 }],
    [64, { working: 4, running: 4 }],
  ])("%i processors", (processors, places) => expect(placesFor(processors)).toEqual(places));
});
