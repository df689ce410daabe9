import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Condition, conditions, findCondition, isConditionTrue, mergeConditions } from "./conditions.ts";
import { toStructuralSchema } from "./structural-schema.ts";

const type = fc.constantFrom("Ready", "Available", "Progressing", "Paused");
const status = fc.constantFrom("True" as const, "False" as const, "Unknown" as const);
const statement = fc.record({ type, status, reason: fc.constantFrom("Done", "Waiting"), message: fc.string() });
const stated = fc.array(statement, { maxLength: 6 });
const generation = fc.option(fc.nat(), { nil: undefined });
const second = fc.integer({ min: 0, max: 4_000_000_000 });

const dateOf = (seconds: number) => new Date(seconds * 1_000);
const textOf = (seconds: number) => dateOf(seconds).toISOString().replace(".000Z", "Z");

const current = fc.uniqueArray(
  fc.tuple(statement, second).map(([one, seconds]): Condition => ({ ...one, lastTransitionTime: textOf(seconds) })),
  { selector: (condition) => condition.type, maxLength: 4 },
);

describe("mergeConditions", () => {
  it("does not change when the same conditions are stated again", () => {
    fc.assert(
      fc.property(current, stated, generation, second, second, (before, next, observed, first, later) => {
        const once = mergeConditions({ current: before, stated: next, generation: observed, now: dateOf(first) });
        const twice = mergeConditions({ current: once, stated: next, generation: observed, now: dateOf(later) });
        expect(twice).toEqual(once);
      }),
    );
  });

  it("updates the transition time only if the status changes", () => {
    fc.assert(
      fc.property(current, statement, second, (before, next, now) => {
        const after = mergeConditions({ current: before, stated: [next], generation: 1, now: dateOf(now) });
        const earlier = findCondition(before, next.type);
        const expected = earlier?.status === next.status ? earlier.lastTransitionTime : textOf(now);
        expect(findCondition(after, next.type)).toEqual({
          ...next,
          observedGeneration: 1,
          lastTransitionTime: expected,
        });
      }),
    );
  });

  it("keeps other conditions and does not modify its input", () => {
    fc.assert(
      fc.property(current, stated, second, (before, next, now) => {
        const copy = structuredClone(before);
        const after = mergeConditions({ current: before, stated: next, generation: 1, now: dateOf(now) });
        const named = new Set<string>(next.map((one) => one.type));
        expect(after.filter((one) => !named.has(one.type))).toEqual(before.filter((one) => !named.has(one.type)));
        expect(before).toEqual(copy);
      }),
    );
  });

  it("has every type once", () => {
    fc.assert(
      fc.property(current, stated, (before, next) => {
        const after = mergeConditions({ current: before, stated: next, generation: 1, now: dateOf(0) });
        expect(new Set(after.map((one) => one.type)).size).toBe(after.length);
      }),
    );
  });

  it("accepts no existing conditions", () => {
    const ready = { type: "Ready", status: "False", reason: "Waiting", message: "for etcd" } as const;
    expect(mergeConditions({ current: undefined, stated: [ready], generation: undefined, now: dateOf(0) })).toEqual([
      { ...ready, lastTransitionTime: "1970-01-01T00:00:00Z" },
    ]);
  });
});

describe("reading conditions", () => {
  const list: Condition[] = [
    { type: "Ready", status: "True", reason: "Done", message: "", lastTransitionTime: textOf(0) },
    { type: "Paused", status: "Unknown", reason: "Waiting", message: "", lastTransitionTime: textOf(0) },
  ];

  it("finds a condition by type, and only status True counts as true", () => {
    expect(findCondition(list, "Ready")).toBe(list[0]);
    expect(isConditionTrue(list, "Ready")).toBe(true);
    expect(isConditionTrue(list, "Paused")).toBe(false);
    expect(isConditionTrue(undefined, "Ready")).toBe(false);
  });
});

describe("the conditions field", () => {
  const schema = toStructuralSchema(conditions("Ready", "Available"));

  it("is a list with one entry per type that server-side apply can merge", () => {
    expect(schema["x-kubernetes-list-type"]).toBe("map");
    expect(schema["x-kubernetes-list-map-keys"]).toEqual(["type"]);
    expect(schema.items?.required?.toSorted()).toEqual(["lastTransitionTime", "message", "reason", "status", "type"]);
  });

  it("lists the types in its description", () => {
    expect(schema.description).toBe("Latest observations of the object's state: Ready, Available.");
    expect(toStructuralSchema(conditions()).description).toBe("Latest observations of the object's state.");
  });
});
