import { describe, expect, it } from "vitest";
import {
  type Pace,
  estimateRemainingMs,
  type ProgressReport,
  ProgressTracker,
  silentProgress,
  weightMs,
} from "./progress.ts";
import { FakeClock } from "./testing/fake-clock.ts";
import { someTools } from "./testing/fake-tool.ts";

const fresh: Pace = {
  finishedExpectedMs: 0,
  finishedActualMs: 0,
  currentExpectedMs: 100,
  currentElapsedMs: 0,
  pendingExpectedMs: 300,
};

describe("estimateRemainingMs", () => {
  it.each<[string, Partial<Pace>, number]>([
    ["believes the weights at first", {}, 400],
    ["counts down within a step", { currentElapsedMs: 40 }, 360],
    ["takes over the speed of what is finished", { finishedExpectedMs: 100, finishedActualMs: 200 }, 800],
    ["learns from a step that outlasts its weight", { currentElapsedMs: 200 }, 20 + 300 * 2.2],
    ["extrapolates a known share", { currentElapsedMs: 50, currentFraction: 0.25 }, 150 + 300 * 2],
    ["does not extrapolate from next to nothing", { currentElapsedMs: 1, currentFraction: 0.001 }, 399],
    ["ends at nothing", { currentExpectedMs: 0, pendingExpectedMs: 0 }, 0],
  ])("%s", (_what, changes, expected) => {
    expect(estimateRemainingMs({ ...fresh, ...changes })).toBeCloseTo(expected);
  });
});

describe("weightMs", () => {
  it("uses build seconds for a build and size for a download", () => {
    const [tool] = someTools("one");
    expect(tool && weightMs(tool, "go")).toBe(10_000);
    expect(tool && weightMs(tool, "archive")).toBe(100);
  });
});

function aTracker() {
  const clock = new FakeClock();
  const tools = someTools("one", "two");
  const reports: (ProgressReport & { event: string })[] = [];
  const note =
    (event: string) =>
    (report: ProgressReport): void =>
      void reports.push({ event, ...report });
  const progress = {
    ...silentProgress,
    started: note("started"),
    advanced: note("advanced"),
    finished: note("finished"),
    failed: note("failed"),
  };
  return { clock, tools, reports, tracker: new ProgressTracker({ progress, tools, source: "go", clock }) };
}

describe("ProgressTracker", () => {
  it("reports each step with times that follow the weights", () => {
    const { clock, tools, reports, tracker } = aTracker();
    const [one, two] = tools as [(typeof tools)[0], (typeof tools)[0]];
    tracker.working(one);
    clock.advance(5_000);
    tracker.tick();
    tracker.finished(one);
    tracker.working(two);
    clock.advance(5_000);
    tracker.failed(two, new Error("no"));
    expect(reports.map((r) => [r.event, r.tool, r.position, r.elapsedMs, r.remainingMs, r.fraction])).toEqual([
      ["started", "one", 1, 0, 20_000, 0],
      ["advanced", "one", 1, 5_000, 15_000, 0.25],
      ["finished", "one", 1, 5_000, 5_000, 0.5],
      ["started", "two", 2, 5_000, 5_000, 0.5],
      ["failed", "two", 2, 10_000, 0, 1],
    ]);
  });

  it("never goes backwards, although the estimate may", () => {
    const { clock, tools, reports, tracker } = aTracker();
    const [one, two] = tools as [(typeof tools)[0], (typeof tools)[0]];
    tracker.working(one);
    clock.advance(1_000);
    tracker.finished(one);
    tracker.working(two);
    for (let second = 0; second < 60; second += 1) {
      clock.advance(1_000);
      tracker.tick();
    }
    const fractions = reports.map(({ fraction }) => fraction);
    expect(fractions).toEqual(fractions.toSorted((left, right) => left - right));
    expect(fractions.at(-1)).toBeLessThan(1);
  });

  it("keeps showing one tool when another one finishes in parallel", () => {
    const { clock, tools, reports, tracker } = aTracker();
    const [one, two] = tools as [(typeof tools)[0], (typeof tools)[0]];
    tracker.working(one);
    tracker.working(two);
    clock.advance(4_000);
    tracker.finished(two);
    tracker.tick();
    tracker.finished(one);
    expect(reports.map((r) => [r.event, r.tool, r.position])).toEqual([
      ["started", "one", 1],
      ["started", "two", 2],
      ["finished", "two", 1],
      ["advanced", "one", 2],
      ["finished", "one", 2],
    ]);
  });

  it("is silent when no work is in progress", () => {
    const { reports, tracker } = aTracker();
    tracker.tick();
    expect(reports).toEqual([]);
  });
});
