import { shortOrLong } from "@butler/testkit/soak";
import fc from "fast-check";
import { expect, it } from "vitest";
import { type Deed, ReleaseHistory } from "../testing/release-history.ts";

/** Most changes are observed, but not all. */
const passes = fc.integer({ min: 0, max: 3 });

const deeds: fc.Arbitrary<Deed> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ type: fc.constant("helmSucceeds" as const) }) },
  { weight: 6, arbitrary: fc.record({ type: fc.constant("helmFails" as const), hasChanged: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant("wish" as const), number: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant("crash" as const) }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant("statusLost" as const) }) },
  { weight: 4, arbitrary: fc.record({ type: fc.constant("ready" as const), isReady: fc.boolean() }) },
  { weight: 6, arbitrary: fc.record({ type: fc.constant("time" as const), seconds: fc.constantFrom(1, 20, 700) }) },
);
const events = fc.array(fc.tuple(deeds, passes), { maxLength: 40 });

it("a release follows the rules and settles in any history", () => {
  fc.assert(
    fc.property(fc.boolean(), events, fc.boolean(), (isInstalled, happened, isRemoved) => {
      const history = new ReleaseHistory();
      if (isInstalled) history.settle();
      for (const [deed, count] of happened) {
        history.do(deed);
        for (let pass = 0; pass < count; pass++) history.do({ type: "pass" });
      }
      // No more faults from here on.
      if (isRemoved) history.remove();
      history.settle();
      expect(history.faults).toEqual([]);
      if (isRemoved) expect(history.last?.isGone).toBe(true);
      else expect(["Installed", "Degraded"]).toContain(history.last?.phase);
      if (!isRemoved && !history.hasFailedWish)
        expect(history.last).toMatchObject({ phase: "Installed", isReady: true });
    }),
    { numRuns: shortOrLong(3_000, 600_000) },
  );
});

it("a failed upgrade is rolled back once and not retried", () => {
  const history = new ReleaseHistory();
  history.settle();
  history.do({ type: "wish", number: 2 });
  history.do({ type: "pass" });
  history.do({ type: "helmFails", hasChanged: true });
  history.settle();
  for (let round = 0; round < 5; round++) {
    history.do({ type: "time", seconds: 700 });
    history.settle();
  }
  expect(history.last).toMatchObject({ phase: "Installed", reason: "UpgradeFailed", rolledBackTo: 1, isReady: false });
  expect(history.started.filter((action) => action === "rollback")).toHaveLength(1);
  expect(history.started.filter((action) => action === "upgrade")).toHaveLength(1);
});
