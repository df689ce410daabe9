import { holds, lacks } from "@butler/controller";
import type { Condition, ConditionStatement } from "@butler/resource";
import { describe, expect, it } from "vitest";
import { statusShare } from "./status-share.ts";

const ready = holds("Ready", "Ready", "ready");

function standing(stated: ConditionStatement, observedGeneration = 2): Condition {
  return { ...stated, observedGeneration, lastTransitionTime: "2026-01-01T00:00:00Z" };
}

function objectWith(status: object | undefined) {
  return { apiVersion: "v1", kind: "Thing", metadata: { name: "blue", generation: 2 }, status };
}

const fields = { count: 3, gone: undefined };
const share = { fields, conditions: [ready], conditionTypes: ["Ready", "Optional"] };

describe("statusShare", () => {
  const inPlace = {
    observedGeneration: 2,
    count: 3,
    theirs: "untouched",
    conditions: [standing(ready), standing(holds("Theirs", "Fine", ""), 1)],
  };

  it("is empty when its share is up to date, whatever other writers added", () => {
    expect(statusShare(objectWith(inPlace), share)).toEqual({});
  });

  it.each([
    ["there is no status", undefined],
    ["a field differs", { ...inPlace, count: 4 }],
    ["a field should be absent", { ...inPlace, gone: 1 }],
    ["the generation is another", { ...inPlace, observedGeneration: 1 }],
    ["a condition is missing", { ...inPlace, conditions: [] }],
    ["a condition is about an older generation", { ...inPlace, conditions: [standing(ready, 1)] }],
    ["a condition says something else", { ...inPlace, conditions: [standing(lacks("Ready", "Broken", ""))] }],
    [
      "a condition of its own is no longer stated",
      { ...inPlace, conditions: [standing(ready), standing(holds("Optional", "On", ""))] },
    ],
  ])("states its whole share when %s", (_what, status) => {
    expect(statusShare(objectWith(status), share)).toEqual({ status: fields, conditions: [ready] });
  });
});
