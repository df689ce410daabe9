import { describe, expect, it } from "vitest";
import { nowMs } from "../testing/situations.ts";
import { decideLook, type LookMemory, type LookOccasion, usualIntervals } from "./looks.ts";

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

function look(memory: Partial<LookMemory>, occasion: Partial<LookOccasion>) {
  return decideLook(
    { lookedAtMs: nowMs, comparedAtMs: nowMs, isStale: false, isOutdated: false, ...memory },
    { phase: "Installed", phaseSinceMs: nowMs, isWorkedOn: false, isQueued: false, nowMs, ...occasion },
    usualIntervals,
  );
}

describe("decideLook", () => {
  it.each([
    { name: "while it is installed", occasion: { phase: "Installing" }, every: 2 * second },
    { name: "while a job runs", occasion: { isWorkedOn: true }, every: 2 * second },
    { name: "while a job waits for its turn", occasion: { phase: "Installing", isQueued: true }, every: 30 * second },
    { name: "at first", occasion: {}, every: 30 * second },
    { name: "after ten minutes", occasion: { phaseSinceMs: nowMs - 10 * minute }, every: minute },
    { name: "after an hour", occasion: { phaseSinceMs: nowMs - hour }, every: 5 * minute },
    { name: "after a day", occasion: { phaseSinceMs: nowMs - 24 * hour }, every: 15 * minute },
  ] as const)("looks $name every $every ms", ({ occasion, every }) => {
    expect(look({}, occasion)).toMatchObject({ looks: false, nextMs: every });
    expect(look({ lookedAtMs: nowMs - every + 1 }, occasion).looks).toBe(false);
    expect(look({ lookedAtMs: nowMs - every }, occasion)).toMatchObject({ looks: true, nextMs: every });
  });

  it("inspects a new release, and checks drift", () => {
    expect(look({ lookedAtMs: undefined, comparedAtMs: undefined }, {})).toMatchObject({ looks: true, compares: true });
  });

  it("inspects at once when a decision needs it", () => {
    expect(look({ isOutdated: true }, {}).looks).toBe(true);
  });

  it("inspects soon after a hint, but not for every one", () => {
    expect(look({ isStale: true }, {})).toMatchObject({ looks: false, nextMs: 500 });
    expect(look({ isStale: true, lookedAtMs: nowMs - 500 }, {}).looks).toBe(true);
  });

  it("checks drift rarely, and never during a job", () => {
    const due = { lookedAtMs: nowMs - hour, comparedAtMs: nowMs - hour };
    expect(look(due, {}).compares).toBe(true);
    expect(look({ ...due, comparedAtMs: nowMs - 59 * second }, {}).compares).toBe(false);
    expect(look(due, { phase: "Upgrading" }).compares).toBe(false);
  });
});
