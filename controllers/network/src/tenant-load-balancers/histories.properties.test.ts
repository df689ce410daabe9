import { shortOrLong } from "@butler/testkit/soak";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isServed } from "./services.ts";
import { SmallWorld, type SmallWorldOptions } from "./testing/small-world.ts";

type Step = (world: SmallWorld) => void;

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.constant<Step>((world) => world.createService()) },
  {
    weight: 4,
    arbitrary: fc.nat(20).map(
      (at): Step =>
        (world) =>
          world.deleteService(at),
    ),
  },
  {
    weight: 5,
    arbitrary: fc.nat(30).map(
      (choice): Step =>
        (world) =>
          world.serveByMetalLb(choice),
    ),
  },
  { weight: 6, arbitrary: fc.constant<Step>((world) => void world.pass()) },
  { weight: 2, arbitrary: fc.constant<Step>((world) => world.settle()) },
  {
    weight: 4,
    arbitrary: fc.integer({ min: 1, max: 700 }).map(
      (seconds): Step =>
        (world) =>
          (world.nowMs += seconds * 1_000),
    ),
  },
  {
    weight: 3,
    arbitrary: fc.integer({ min: 1, max: 6 }).map(
      (count): Step =>
        (world) =>
          burst(world, count),
    ),
  },
  {
    weight: 3,
    arbitrary: fc.integer({ min: 1, max: 6 }).map(
      (count): Step =>
        (world) =>
          lull(world, count),
    ),
  },
  { weight: 2, arbitrary: fc.constant<Step>((world) => world.fallBehind()) },
  { weight: 2, arbitrary: fc.constant<Step>((world) => world.catchUp()) },
  {
    weight: 1,
    arbitrary: fc.boolean().map(
      (isReachable): Step =>
        (world) =>
          (world.isReachable = isReachable),
    ),
  },
);

/** Some Services come, and are served. */
function burst(world: SmallWorld, count: number): void {
  for (let at = 0; at < count; at++) world.createService();
  for (let round = 0; round < 3; round++) {
    world.pass();
    world.pass();
    for (let choice = 0; choice < count; choice++) world.serveByMetalLb(choice);
    world.nowMs += 6_000;
  }
}

/** Some go, and nothing happens for longer than a block may be unused. */
function lull(world: SmallWorld, count: number): void {
  for (let at = 0; at < count; at++) world.deleteService(world.services.length - 1);
  world.pass();
  world.nowMs += 601_000;
}

const options = (hasMetalLb: boolean): fc.Arbitrary<SmallWorldOptions> =>
  fc.record({
    hasMetalLb: fc.constant(hasMetalLb),
    limit: fc.option(fc.integer({ min: 2, max: 12 }), { nil: undefined }),
    increment: fc.integer({ min: 1, max: 4 }),
    pools: fc.array(fc.constantFrom(28, 29, 30, 31), { minLength: 1, maxLength: 3 }),
  });

const timeout = shortOrLong(120_000, 3_600_000);

/** Everybody answers and everybody acts, until nothing happens any more. */
function rest(world: SmallWorld): void {
  world.isReachable = true;
  world.catchUp();
  // A Service is observed waiting in one round, and has waited long enough in the next.
  for (let quietRounds = 0; quietRounds < 3; quietRounds++) {
    const before = world.summary;
    world.nowMs += 6_000;
    world.settle();
    for (let choice = 0; choice < world.services.length; choice++) world.serveByMetalLb(choice);
    world.settle();
    world.check();
    if (world.summary !== before) quietRounds = 0;
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
          const world = new SmallWorld(given);
          world.isBusy = hasMetalLb;
          for (const run of steps) {
            run(world);
            world.check();
          }
          world.isBusy = false;
          rest(world);
          expect(world.faults).toEqual([]);
          const waiting = world.services.filter((service) => !isServed(service)).length;
          if (waiting > 0) expect(world.available).toBe(0);
          expect(world.grown).toBeLessThanOrEqual(world.created);
          expect(world.shrunk).toBeLessThanOrEqual(world.grown);
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
          const world = new SmallWorld(given);
          for (const run of steps) run(world);
          rest(world);
          const [grown, left] = [world.grown, world.claims.length];
          const shrunk = world.shrunk;
          for (let hour = 0; hour < 5; hour++) {
            world.nowMs += 3_600_000;
            rest(world);
          }
          const isAnybodyWaiting = world.services.some((service) => !isServed(service));
          // Who waited for a full pool may be served when addresses have rested; nothing else makes it grow.
          if (!isAnybodyWaiting && world.shrunk === shrunk) expect(world.grown).toBe(grown);
          expect(world.shrunk - shrunk).toBeLessThanOrEqual(left + world.grown - grown);
          expect(world.grown - grown).toBeLessThanOrEqual(world.services.length);
          const before = world.summary;
          world.nowMs += 3_600_000;
          rest(world);
          expect(world.summary).toBe(before);
        }),
        { numRuns: shortOrLong(50, 4_000) },
      );
    },
  );
});

it("a stale watch does not cost any Service its address", () => {
  const world = new SmallWorld({ hasMetalLb: true, limit: undefined, increment: 2, pools: [28] });
  burst(world, 4);
  while (world.services.length > 0) world.deleteService(0);
  world.settle();
  world.fallBehind();
  for (let at = 0; at < 4; at++) world.createService();
  for (let choice = 0; choice < 4; choice++) world.serveByMetalLb(0);
  expect(world.services.every(isServed)).toBe(true);
  world.nowMs += 601_000;
  for (let passes = 0; passes < 4; passes++) world.pass();
  world.check();
  expect(world.faults).toEqual([]);
  expect(world.shrunk).toBe(0);
});
