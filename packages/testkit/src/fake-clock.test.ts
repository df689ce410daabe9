import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FakeClock } from "./fake-clock.ts";

describe("FakeClock", () => {
  it("does not advance until it is moved", () => {
    const clock = new FakeClock(new Date("2030-05-05T00:00:00Z"));
    expect(clock.now()).toEqual(new Date("2030-05-05T00:00:00Z"));
    const before = clock.monotonicMs();
    clock.advance(1_500);
    expect(clock.now()).toEqual(new Date("2030-05-05T00:00:01.500Z"));
    expect(clock.monotonicMs() - before).toBe(1_500);
  });

  it("returns dates that cannot be used to move it", () => {
    const clock = new FakeClock();
    clock.now().setFullYear(1999);
    expect(clock.now().getUTCFullYear()).toBe(2026);
  });

  it("runs a timer once, when it is due and not before", () => {
    const clock = new FakeClock();
    let runs = 0;
    clock.after(100, () => runs++);
    clock.advance(99);
    expect([runs, clock.pending]).toEqual([0, 1]);
    clock.advance(1);
    clock.advance(1_000);
    expect([runs, clock.pending]).toEqual([1, 0]);
  });

  it.each([0, -5])("runs a timer of %d ms at the next move, not immediately", (delayMs) => {
    const clock = new FakeClock();
    let hasRun = false;
    clock.after(delayMs, () => (hasRun = true));
    expect(hasRun).toBe(false);
    clock.advance(0);
    expect(hasRun).toBe(true);
  });

  it("does not run canceled timers, including those canceled by an earlier timer", () => {
    const clock = new FakeClock();
    const ran: string[] = [];
    clock.after(10, () => ran.push("cancelled at once")).cancel();
    const later = clock.after(30, () => ran.push("cancelled on the way"));
    clock.after(20, () => later.cancel());
    clock.advance(100);
    expect(ran).toEqual([]);
  });

  it("shows each timer the time for which it was set", () => {
    const clock = new FakeClock(new Date(0));
    const seen: number[] = [];
    for (const delayMs of [30, 10, 20]) clock.after(delayMs, () => seen.push(clock.monotonicMs()));
    clock.advance(100);
    expect(seen).toEqual([10, 20, 30]);
    expect(clock.monotonicMs()).toBe(100);
  });

  it("runs timers set by other timers when they are due within the move", () => {
    const clock = new FakeClock(new Date(0));
    const seen: number[] = [];
    const again = (): void => {
      seen.push(clock.monotonicMs());
      clock.after(40, again);
    };
    clock.after(40, again);
    clock.advance(100);
    expect(seen).toEqual([40, 80]);
    expect(clock.pending).toBe(1);
  });

  it("runs timers in order of time, and timers of the same time in the order they were set", () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 20 })), fc.array(fc.nat({ max: 10 })), (delays, moves) => {
        const clock = new FakeClock();
        const ran: number[] = [];
        for (const [index, delayMs] of delays.entries()) clock.after(delayMs, () => ran.push(index));
        for (const byMs of [...moves, 20]) clock.advance(byMs);
        const expected = delays.map((delayMs, index) => ({ delayMs, index })).sort((a, b) => a.delayMs - b.delayMs);
        expect(ran).toEqual(expected.map(({ index }) => index));
      }),
    );
  });
});
