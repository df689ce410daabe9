import { builtinKinds } from "@butler/resource";
import { Unavailable } from "@butler/std";
import { describe, expect, it } from "vitest";
import { cacheFault, type CacheState, isUsable, type Serving } from "./serving.ts";

const state: CacheState = {
  kind: builtinKinds.ConfigMap,
  isOptional: false,
  serving: "served",
  consecutiveFailures: 0,
  lastError: undefined,
};
const down = new Unavailable("connection refused");

describe("the readiness of a cache", () => {
  it.each<[string, Partial<CacheState>, string | undefined]>([
    ["in sync", {}, undefined],
    ["a few failures", { consecutiveFailures: 4, lastError: down }, undefined],
    [
      "many failures",
      { consecutiveFailures: 5, lastError: down },
      "watch of configmaps failed 5 times: connection refused",
    ],
    ["no list yet", { serving: "unknown" }, "waiting for the first list of configmaps"],
    [
      "no list yet, with an error",
      { serving: "unknown", lastError: down },
      "waiting for the first list of configmaps: connection refused",
    ],
    ["no such kind", { serving: "absent" }, "configmaps is not served: install its CustomResourceDefinition"],
  ])("of a mandatory kind: %s", (_title, change, expected) => {
    expect(cacheFault({ ...state, ...change })).toBe(expected);
  });

  it.each<Serving>(["unknown", "served", "absent"])("does not depend on an optional kind that is %s", (serving) => {
    expect(cacheFault({ ...state, isOptional: true, serving, consecutiveFailures: 9, lastError: down })).toBe(
      undefined,
    );
  });
});

describe("decisions", () => {
  it.each<[Serving, boolean, boolean]>([
    ["served", false, true],
    ["served", true, true],
    ["absent", false, false],
    ["absent", true, false],
    // A process waits for the first list of a mandatory kind.
    ["unknown", false, true],
    ["unknown", true, false],
  ])("on a kind that is %s (optional: %s): %s", (serving, isOptional, expected) => {
    expect(isUsable({ serving, isOptional })).toBe(expected);
  });
});
