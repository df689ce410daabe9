import { shortOrLong } from "@butler/testkit/soak";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isServed } from "./services.ts";
import { LoadBalancerModel, type LoadBalancerModelOptions } from "./testing/load-balancer-model.ts";

type Step = (model: LoadBalancerModel) => void;

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.constant<Step>((model) => model.createService()) },
  {
    weight: 4,
    arbitrary: fc.nat(20).map(
      (at): Step =>
        (model) =>
          model.deleteService(at),
    ),
  },
  {
    weight: 5,
    arbitrary: fc.nat(30).map(
      (choice): Step =>
        (model) =>
          model.serveByMetalLb(choice),
    ),
  },
  { weight: 6, arbitrary: fc.constant<Step>((model) => void model.pass()) },
  { weight: 2, arbitrary: fc.constant<Step>((model) => model.settle()) },
  {
    weight: 4,
    arbitrary: fc.integer({ min: 1, max: 700 }).map(
      (seconds): Step =>
        (model) =>
          (model.nowMs += seconds * 1_000),
    ),
  },
  {
    weight: 3,
    arbitrary: fc.integer({ min: 1, max: 6 }).map(
      (count): Step =>
        (model) =>
          burst(model, count),
    ),
  },
  {
    weight: 3,
    arbitrary: fc.integer({ min: 1, max: 6 }).map(
      (count): Step =>
        (model) =>
          lull(model, count),
    ),
  },
  { weight: 2, arbitrary: fc.constant<Step>((model) => model.fallBehind()) },
  { weight: 2, arbitrary: fc.constant<Step>((model) => model.catchUp()) },
  {
    weight: 1,
    arbitrary: fc.boolean().map(
      (isReachable): Step =>
        (model) =>
          (model.isReachable = isReachable),
    ),
  },
);

/** Some Services are created and served. */
function burst(model: LoadBalancerModel, count: number): void {
  for (let at = 0; at < count; at++) model.createService();
  for (let round = 0; round < 3; round++) {
    model.pass();
    model.pass();
    for (let choice = 0; choice < count; choice++) model.serveByMetalLb(choice);
    model.nowMs += 6_000;
  }
}

/** Some are deleted, and nothing happens for longer than the idle period of a block. */
function lull(model: LoadBalancerModel, count: number): void {
  for (let at = 0; at < count; at++) model.deleteService(model.services.length - 1);
  model.pass();
  model.nowMs += 601_000;
}

const options = (hasMetalLb: boolean): fc.Arbitrary<LoadBalancerModelOptions> =>
  fc.record({
    hasMetalLb: fc.constant(hasMetalLb),
    limit: fc.option(fc.integer({ min: 2, max: 12 }), { nil: undefined }),
    increment: fc.integer({ min: 1, max: 4 }),
    pools: fc.array(fc.constantFrom(28, 29, 30, 31), { minLength: 1, maxLength: 3 }),
  });

const timeout = shortOrLong(120_000, 3_600_000);

/** All participants act until nothing changes. */
function rest(model: LoadBalancerModel): void {
  model.isReachable = true;
  model.catchUp();
  // A Service is observed waiting in one round, and has waited long enough in the next.
  for (let quietRounds = 0; quietRounds < 3; quietRounds++) {
    const before = model.summary;
    model.nowMs += 6_000;
    model.settle();
    for (let choice = 0; choice < model.services.length; choice++) model.serveByMetalLb(choice);
    model.settle();
    model.check();
    if (model.summary !== before) quietRounds = 0;
  }
}

describe.each([
  ["Butler", false],
  ["MetalLB", true],
] as const)("addresses that %s hands out", (_who, hasMetalLb) => {
  const history = fc.array(step, { maxLength: 60 });

  it(
    "never exceed the limit, are never removed while in use, and are assigned to every Service that can be served",
    { timeout },
    () => {
      fc.assert(
        fc.property(options(hasMetalLb), history, (given, steps) => {
          const model = new LoadBalancerModel(given);
          model.isBusy = hasMetalLb;
          for (const run of steps) {
            run(model);
            model.check();
          }
          model.isBusy = false;
          rest(model);
          expect(model.faults).toEqual([]);
          const waiting = model.services.filter((service) => !isServed(service)).length;
          if (waiting > 0) expect(model.available).toBe(0);
          expect(model.grown).toBeLessThanOrEqual(model.created);
          expect(model.shrunk).toBeLessThanOrEqual(model.grown);
        }),
        { numRuns: shortOrLong(150, 10_000) },
      );
    },
  );

  it(
    "settle: once Services stop changing, an added claim is removed at most once and never added again",
    { timeout },
    () => {
      fc.assert(
        fc.property(options(hasMetalLb), history, (given, steps) => {
          const model = new LoadBalancerModel(given);
          for (const run of steps) run(model);
          rest(model);
          const [grown, left] = [model.grown, model.claims.length];
          const shrunk = model.shrunk;
          for (let hour = 0; hour < 5; hour++) {
            model.nowMs += 3_600_000;
            rest(model);
          }
          const isAnybodyWaiting = model.services.some((service) => !isServed(service));
          // A Service that waited for a full pool may be served after a quarantine; nothing else makes it grow.
          if (!isAnybodyWaiting && model.shrunk === shrunk) expect(model.grown).toBe(grown);
          expect(model.shrunk - shrunk).toBeLessThanOrEqual(left + model.grown - grown);
          expect(model.grown - grown).toBeLessThanOrEqual(model.services.length);
          const before = model.summary;
          model.nowMs += 3_600_000;
          rest(model);
          expect(model.summary).toBe(before);
        }),
        { numRuns: shortOrLong(50, 4_000) },
      );
    },
  );
});

it("a stale watch does not cost any Service its address", () => {
  const model = new LoadBalancerModel({ hasMetalLb: true, limit: undefined, increment: 2, pools: [28] });
  burst(model, 4);
  while (model.services.length > 0) model.deleteService(0);
  model.settle();
  model.fallBehind();
  for (let at = 0; at < 4; at++) model.createService();
  for (let choice = 0; choice < 4; choice++) model.serveByMetalLb(0);
  expect(model.services.every(isServed)).toBe(true);
  model.nowMs += 601_000;
  for (let passes = 0; passes < 4; passes++) model.pass();
  model.check();
  expect(model.faults).toEqual([]);
  expect(model.shrunk).toBe(0);
});
