import { FakeClock } from "@butler/testkit";
import { describe, expect, it } from "vitest";
import { sleep, systemClock } from "./clock.ts";

/** Lets promises that are settled already run their reactions. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("sleep", () => {
  it("resolves when the time has passed and not before", async () => {
    const clock = new FakeClock();
    let hasEnded = false;
    const asleep = sleep(clock, 1_000).then(() => (hasEnded = true));
    clock.advance(999);
    await settle();
    expect(hasEnded).toBe(false);
    clock.advance(1);
    await asleep;
    expect(hasEnded).toBe(true);
  });

  it("rejects with the signal's reason on abort, and leaves no timer behind", async () => {
    const clock = new FakeClock();
    const controller = new AbortController();
    const asleep = sleep(clock, 1_000, controller.signal);
    const reason = new Error("shutting down");
    controller.abort(reason);
    await expect(asleep).rejects.toBe(reason);
    expect(clock.pending).toBe(0);
  });

  it("does not start when the signal is already aborted", async () => {
    const clock = new FakeClock();
    const reason = new Error("too late");
    await expect(sleep(clock, 1_000, AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(clock.pending).toBe(0);
  });

  it("ignores an abort after it has resolved", async () => {
    const clock = new FakeClock();
    const controller = new AbortController();
    const asleep = sleep(clock, 1_000, controller.signal);
    clock.advance(1_000);
    controller.abort(new Error("later"));
    await expect(asleep).resolves.toBeUndefined();
  });

  it("removes its abort listener when it resolves", async () => {
    const clock = new FakeClock();
    const { signal } = new AbortController();
    let listeners = 0;
    const counted = Object.assign(signal, {
      addEventListener: () => void listeners++,
      removeEventListener: () => void listeners--,
    });
    const asleep = sleep(clock, 10, counted);
    expect(listeners).toBe(1);
    clock.advance(10);
    await asleep;
    expect(listeners).toBe(0);
  });
});

describe("systemClock", () => {
  it("never goes backwards", () => {
    const first = systemClock.monotonicMs();
    expect(systemClock.monotonicMs()).toBeGreaterThanOrEqual(first);
  });

  it("runs a timer that is due immediately, including a negative delay", async () => {
    await new Promise<void>((resolve) => systemClock.after(-5, resolve));
  });

  it("does not run a canceled timer", async () => {
    let hasRun = false;
    systemClock.after(0, () => (hasRun = true)).cancel();
    await new Promise<void>((resolve) => systemClock.after(1, resolve));
    expect(hasRun).toBe(false);
  });

  it("does not treat a delay beyond Node's timer limit as zero", async () => {
    let hasRun = false;
    const timer = systemClock.after(2 ** 40, () => (hasRun = true));
    await new Promise<void>((resolve) => systemClock.after(2, resolve));
    timer.cancel();
    expect(hasRun).toBe(false);
  });
});
