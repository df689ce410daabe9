import { type Condition, type ConditionStatement, type DynamicObject, findCondition } from "@butler/resource";
import { InvalidInput, Unavailable } from "@butler/std";
import { aConfigMap } from "@butler/testkit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { desiredStatus, type FailureStage, stageReason, type StatusInput, statusOf } from "./desired-status.ts";
import { holds, lacks } from "./plan.ts";

const earlier = "2026-01-01T00:00:00Z";
const now = new Date("2026-01-01T01:00:00.500Z");
const nowText = "2026-01-01T01:00:00Z";

const ready = holds("Ready", "AllWell", "all is well");
const notReady = lacks("Ready", "Waiting", "waiting for nodes");
const networked = holds("Networked", "Assigned", "10.0.0.0/24");

const written = (statement: ConditionStatement, change: Partial<Condition> = {}): Condition => ({
  ...statement,
  observedGeneration: 3,
  lastTransitionTime: earlier,
  ...change,
});

/** An object of generation 3 with the given status. */
const aPrimary = (status?: Record<string, unknown>): DynamicObject =>
  aConfigMap({ generation: 3, body: status === undefined ? {} : { status } });

const settled = (...conditions: Condition[]): Record<string, unknown> => ({
  phase: "Up",
  observedGeneration: 3,
  conditions,
});

function statusAfter(input: Partial<StatusInput> & Pick<StatusInput, "primary">): Record<string, unknown> | undefined {
  return desiredStatus({ plan: undefined, failure: undefined, now, hasConditions: true, ...input });
}

/** Writes the status, runs the same plan again, and returns what would be written then. */
function secondLook(input: Partial<StatusInput> & Pick<StatusInput, "primary">, later: Date): unknown {
  const status = statusAfter(input) ?? statusOf(input.primary);
  return statusAfter({ ...input, primary: { ...input.primary, status } as DynamicObject, now: later });
}

describe("after a success", () => {
  it("writes status, conditions and the observed generation", () => {
    const plan = { status: { phase: "Up" }, conditions: [ready] };
    expect(statusAfter({ primary: aPrimary(), plan })).toEqual({
      phase: "Up",
      observedGeneration: 3,
      conditions: [{ ...ready, observedGeneration: 3, lastTransitionTime: nowText }],
    });
  });

  it("writes nothing when the status is already up to date", () => {
    const plan = { status: { phase: "Up" }, conditions: [ready] };
    expect(statusAfter({ primary: aPrimary(settled(written(ready))), plan })).toBeUndefined();
  });

  it("treats a field stated as undefined as not stated", () => {
    const plan = { status: { phase: "Up", address: undefined }, conditions: [ready] };
    expect(statusAfter({ primary: aPrimary(settled(written(ready))), plan })).toBeUndefined();
  });

  it("writes the new generation though nothing else has changed", () => {
    const stale = { ...settled(written(ready, { observedGeneration: 2 })), observedGeneration: 2 };
    const plan = { status: { phase: "Up" }, conditions: [ready] };
    expect(statusAfter({ primary: aPrimary(stale), plan })).toEqual(settled(written(ready)));
  });

  it("removes conditions and fields that are no longer stated", () => {
    const current = { ...settled(written(ready), written(networked)), address: "10.0.0.1" };
    const plan = { status: { phase: "Up" }, conditions: [ready] };
    expect(statusAfter({ primary: aPrimary(current), plan })).toEqual(settled(written(ready)));
  });

  it("leaves the status unchanged when the plan has none", () => {
    expect(statusAfter({ primary: aPrimary(settled(written(ready))), plan: {} })).toBeUndefined();
  });

  it("keeps the rest of the status when the plan states conditions only", () => {
    const primary = aPrimary(settled(written(notReady)));
    expect(statusAfter({ primary, plan: { conditions: [ready] } })).toEqual(
      settled(written(ready, { lastTransitionTime: nowText })),
    );
  });

  it("removes the condition of an earlier failure, also when the plan has no status", () => {
    const failure = { stage: "apply", error: new Error("no") } as const;
    const failed = statusAfter({ primary: aPrimary(settled(written(networked))), plan: {}, failure });
    const recovered = statusAfter({ primary: aPrimary(failed), plan: {} });
    expect(recovered).toEqual(settled(written(networked)));
    expect(statusAfter({ primary: aPrimary(recovered), plan: {} })).toBeUndefined();
  });
});

describe("the transition time", () => {
  const currently = aPrimary(settled(written(notReady)));

  it("moves when the status of a condition does", () => {
    expect(statusAfter({ primary: currently, plan: { conditions: [ready] } })).toMatchObject({
      conditions: [{ status: "True", lastTransitionTime: nowText }],
    });
  });

  it("stays when only reason and message change", () => {
    const stillNot = lacks("Ready", "Slow", "still waiting for nodes");
    expect(statusAfter({ primary: currently, plan: { conditions: [stillNot] } })).toMatchObject({
      conditions: [{ reason: "Slow", message: "still waiting for nodes", lastTransitionTime: earlier }],
    });
  });
});

describe("after a failure", () => {
  const failure = {
    stage: "apply",
    error: new Unavailable("apply configmaps a/b", { cause: new Error("refused") }),
  } as const;
  const failedReady = {
    type: "Ready",
    status: "False",
    reason: "ApplyFailed",
    message: "apply configmaps a/b: refused",
  };

  it.each(Object.entries(stageReason) as [FailureStage, string][])(
    "at stage %s sets the reason %s",
    (stage, reason) => {
      const status = statusAfter({ primary: aPrimary(), failure: { stage, error: new Error("no") } });
      expect(status).toMatchObject({ conditions: [{ type: "Ready", status: "False", reason, message: "no" }] });
    },
  );

  it("keeps the status and does not observe the new generation", () => {
    const stale = { ...settled(written(ready, { observedGeneration: 2 })), observedGeneration: 2 };
    expect(statusAfter({ primary: aPrimary(stale), failure })).toEqual({
      phase: "Up",
      observedGeneration: 2,
      conditions: [{ ...failedReady, observedGeneration: 3, lastTransitionTime: nowText }],
    });
  });

  it("leaves conditions that were not evaluated unchanged, including their generation", () => {
    const seenBefore = written(networked, { observedGeneration: 2 });
    expect(statusAfter({ primary: aPrimary(settled(seenBefore, written(ready))), failure })).toMatchObject({
      conditions: [seenBefore, failedReady],
    });
  });

  it("sets no observed generation on an object that never had one", () => {
    expect(statusAfter({ primary: aPrimary(), failure })).not.toHaveProperty("observedGeneration");
  });

  it("reports the plan's status, but not ready", () => {
    const plan = { status: { phase: "Growing" }, conditions: [ready, networked] };
    expect(statusAfter({ primary: aPrimary(settled(written(ready))), plan, failure })).toEqual({
      phase: "Growing",
      observedGeneration: 3,
      conditions: [
        { ...failedReady, observedGeneration: 3, lastTransitionTime: nowText },
        { ...networked, observedGeneration: 3, lastTransitionTime: nowText },
      ],
    });
  });

  it.each<[string, StatusInput["plan"]]>([
    ["without a plan", undefined],
    ["with a plan that says nothing", {}],
    ["with a plan that calls the object ready", { status: { phase: "Up" }, conditions: [ready, networked] }],
    ["with a plan that calls it unready", { status: { phase: "Up" }, conditions: [notReady] }],
  ])("writes nothing when the same failure repeats, %s", (_what, plan) => {
    const primary = aPrimary(settled(written(networked), written(ready)));
    expect(secondLook({ primary, plan, failure }, new Date("2026-01-02T00:00:00Z"))).toBeUndefined();
  });

  it("adds the hint of the error", () => {
    const error = new InvalidInput("the range is full", { hint: "widen it" });
    expect(statusAfter({ primary: aPrimary(), failure: { stage: "plan", error } })).toMatchObject({
      conditions: [{ message: "the range is full; widen it" }],
    });
  });

  it("redacts secrets and shortens long messages", () => {
    const error = new Error(`https://me:hunter2@host ${"x".repeat(50_000)}`);
    const status = statusAfter({ primary: aPrimary(), failure: { stage: "perform", error } });
    const condition = findCondition(status?.["conditions"] as Condition[] | undefined, "Ready");
    expect(condition?.message).not.toContain("hunter2");
    expect(condition?.message.length).toBeLessThanOrEqual(4_000);
  });
});

describe("statusOf", () => {
  it.each<[string, unknown, unknown]>([
    ["a status", { a: 1 }, { a: 1 }],
    ["no status", undefined, {}],
    ["a status that is no map", "up", {}],
  ])("of an object with %s", (_what, status, expected) => {
    expect(statusOf({ ...aPrimary(), status } as DynamicObject)).toEqual(expected);
  });
});

describe("desiredStatus", () => {
  const statement = fc.record({
    type: fc.constantFrom("Ready", "Networked", "Paused"),
    status: fc.constantFrom("True" as const, "False" as const, "Unknown" as const),
    reason: fc.constantFrom("One", "Two"),
    message: fc.constantFrom("", "so it is"),
  });
  const statements = fc.uniqueArray(statement, { selector: ({ type }) => type });
  const plan = fc.option(
    fc.record(
      { status: fc.record({ phase: fc.constantFrom("Up", "Down") }), conditions: statements },
      { requiredKeys: [] },
    ),
    { nil: undefined },
  );
  const failure = fc.option(
    fc.record({ stage: fc.constantFrom<FailureStage>("observe", "apply"), error: fc.constant(new Error("no")) }),
    {
      nil: undefined,
    },
  );
  const current = fc.option(
    fc.record({
      phase: fc.constant("Up"),
      observedGeneration: fc.constantFrom(2, 3),
      conditions: statements.map((list) => list.map((one) => written(one))),
    }),
    { nil: undefined },
  );

  it("is stable after one write, whatever the plan and however late it is", () => {
    fc.assert(
      fc.property(current, plan, failure, (status, stated, failed) => {
        fc.pre(stated !== undefined || failed !== undefined);
        const input = { primary: aPrimary(status), plan: stated, failure: failed };
        expect(secondLook(input, new Date("2027-01-01T00:00:00Z"))).toBeUndefined();
      }),
    );
  });

  it("names each condition once, and is never ready after a failure", () => {
    fc.assert(
      fc.property(current, plan, failure, (status, stated, failed) => {
        const result = statusAfter({ primary: aPrimary(status), plan: stated, failure: failed });
        const conditions = (result?.["conditions"] ?? []) as Condition[];
        expect(new Set(conditions.map(({ type }) => type)).size).toBe(conditions.length);
        if (failed === undefined || result === undefined) return;
        expect(conditions.find(({ type }) => type === "Ready")).toMatchObject({ status: "False", message: "no" });
      }),
    );
  });
});

it("of a kind without conditions is just what the plan states", () => {
  const primary = { apiVersion: "v1", kind: "Service", metadata: { name: "web", generation: 3 } };
  const status = { loadBalancer: { ingress: [{ ip: "10.0.0.1" }] } };
  const input = { failure: undefined, now: new Date(), hasConditions: false };
  expect(desiredStatus({ ...input, primary, plan: { status } })).toEqual(status);
  expect(
    desiredStatus({ ...input, primary: { ...primary, status } as typeof primary, plan: { status } }),
  ).toBeUndefined();
  expect(desiredStatus({ ...input, primary, plan: {} })).toBeUndefined();
});
