import { describe, expect, it } from "vitest";
import { networkLayout } from "./network-layout.ts";
import { findRangeConflicts } from "./range-conflicts.ts";

describe("findRangeConflicts", () => {
  it.each([
    ["nothing", [], []],
    [
      "the engine's own routes",
      [
        { dst: "10.203.0.0/16", dev: "butler3h" },
        { dst: "10.219.0.0/16", dev: "butler3h" },
      ],
      [],
    ],
    ["a bridge inside the range", [{ dst: "10.203.7.0/24", dev: "br0" }], ["br0"]],
    ["one address inside the Service range", [{ dst: "10.219.0.9", dev: "wg0" }], ["wg0"]],
    [
      "the very same range",
      [
        { dst: "10.203.0.0/16", dev: "tun0" },
        { dst: "10.219.1.0/24", dev: "tun0" },
      ],
      ["tun0"],
    ],
    [
      "a larger network",
      [
        { dst: "10.0.0.0/8", dev: "tun0" },
        { dst: "default", dev: "eth0" },
      ],
      [],
    ],
    [
      "another engine",
      [
        { dst: "10.200.0.0/16", dev: "butler0h" },
        { dst: "10.20.3.0/24", dev: "br1" },
      ],
      [],
    ],
  ])("of %s", (_what, routes, expected) => {
    expect(findRangeConflicts(networkLayout(3), routes)).toEqual(expected);
  });
});
