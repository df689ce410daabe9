import type { Plan } from "@butler/controller";
import { describe, expect, it } from "vitest";
import { planFrozen, type PlanTrial, settleDeletion, settleToFixedPoint } from "./plan-invariants.ts";

/** A tank that is filled one litre at a time, and emptied before it is deleted. */
interface Tank {
  readonly litres: number;
  readonly wanted: number;
}

interface Pour {
  readonly type: "pour";
  readonly litres: number;
}

type TankPlan = (tank: Tank, now: Date) => Plan<Pour>;

const fill: TankPlan = ({ litres, wanted }) => ({
  finalizer: "hold",
  effects: litres === wanted ? [] : [{ type: "pour", litres: Math.sign(wanted - litres) }],
});

const empty: TankPlan = ({ litres }) =>
  litres === 0 ? { finalizer: "release" } : { finalizer: "hold", effects: [{ type: "pour", litres: -1 }] };

function aTrial(plan: TankPlan, change: Partial<PlanTrial<Tank, Pour>> = {}): PlanTrial<Tank, Pour> {
  return {
    plan,
    observed: { litres: 0, wanted: 3 },
    now: new Date("2026-01-01T00:00:00Z"),
    settle: (tank, { effects = [] }) => ({
      ...tank,
      litres: effects.reduce((sum, { litres }) => sum + litres, tank.litres),
    }),
    ...change,
  };
}

const mutating: TankPlan = (tank) => {
  Object.assign(tank, { litres: tank.wanted });
  return { finalizer: "hold" };
};

let calls = 0;
const fickle: TankPlan = () => ({ finalizer: "hold", effects: [{ type: "pour", litres: ++calls }] });

const undecided: TankPlan = ({ litres }) => ({
  finalizer: "hold",
  effects: [{ type: "pour", litres: litres > 0 ? -1 : 1 }],
});

const insatiable: TankPlan = () => ({ finalizer: "hold", effects: [{ type: "pour", litres: 1 }] });

const busyForNothing: TankPlan = () => ({ finalizer: "hold", effects: [{ type: "pour", litres: 0 }] });

const hasty: TankPlan = () => ({ finalizer: "release", effects: [{ type: "pour", litres: -1 }] });

describe("planFrozen", () => {
  it("returns the plan and does not change its input", () => {
    const observed = { litres: 1, wanted: 3 };
    expect(planFrozen(aTrial(fill), observed).effects).toEqual([{ type: "pour", litres: 1 }]);
    expect(Object.isFrozen(observed)).toBe(false);
  });

  it("fails for a plan that modifies its input", () => {
    expect(() => planFrozen(aTrial(mutating), { litres: 0, wanted: 3 })).toThrow(TypeError);
  });

  it("fails for a plan that depends on other state", () => {
    expect(() => planFrozen(aTrial(fickle), { litres: 0, wanted: 3 })).toThrow("two plans for the same input differ");
  });
});

describe("settleToFixedPoint", () => {
  it("returns the final state, its plan and the number of passes", () => {
    expect(settleToFixedPoint(aTrial(fill))).toEqual({
      observed: { litres: 3, wanted: 3 },
      plan: { finalizer: "hold", effects: [] },
      passes: 4,
    });
  });

  it("takes one pass when there is nothing to do", () => {
    expect(settleToFixedPoint(aTrial(fill, { observed: { litres: 3, wanted: 3 } })).passes).toBe(1);
  });

  it.each<[string, TankPlan, string]>([
    ["cycles", undecided, "the plans cycle after 2 passes"],
    ["never reaches a fixed point", insatiable, "the plans do not reach a fixed point within 20 passes"],
    ["requests effects that change nothing", busyForNothing, "the final plan still requests effects"],
    ["modifies its input", mutating, "Cannot assign to read only property"],
  ])("fails for a plan that %s", (_what, plan, message) => {
    expect(() => settleToFixedPoint(aTrial(plan))).toThrow(message);
  });

  it("allows the configured number of passes", () => {
    expect(() => settleToFixedPoint(aTrial(fill, { limit: 3 }))).toThrow("within 3 passes");
    expect(settleToFixedPoint(aTrial(fill, { limit: 4 })).passes).toBe(4);
  });
});

describe("settleDeletion", () => {
  const full = { observed: { litres: 5, wanted: 5 } };

  it("returns the state when the finalizer is released", () => {
    expect(settleDeletion(aTrial(empty, full))).toEqual({ litres: 0, wanted: 5 });
  });

  it("finishes immediately if there is nothing to clean up", () => {
    expect(settleDeletion(aTrial(() => ({ finalizer: "none" }), full))).toEqual(full.observed);
  });

  it.each<[string, TankPlan, string]>([
    ["never releases the finalizer", fill, "the deletion does not finish within 20 passes"],
    ["releases the finalizer too early", hasty, "the finalizer is released while effects are pending"],
    ["modifies its input", mutating, "Cannot assign to read only property"],
  ])("fails for a plan that %s", (_what, plan, message) => {
    expect(() => settleDeletion(aTrial(plan, full))).toThrow(message);
  });
});
