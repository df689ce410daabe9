import { FakeClock } from "@butler/testkit";
import { describe, expect, it } from "vitest";
import { ConnectGate } from "./connect-gate.ts";

/** Work that the test completes, and that reports its start. */
function someWork(count: number) {
  const begun: number[] = [];
  const jobs = Array.from({ length: count }, () => Promise.withResolvers<number>());
  const start = (gate: ConnectGate, at: number, signal?: AbortSignal): Promise<number> =>
    gate.run(() => {
      begun.push(at);
      return jobs[at]?.promise ?? Promise.reject(new Error("no such job"));
    }, signal);
  return { begun, jobs, start };
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("the gate", () => {
  it("admits up to its capacity, and the next in order as others finish or fail", async () => {
    const gate = new ConnectGate({ clock: new FakeClock(), places: 2, patienceMs: 100 });
    const { begun, jobs, start } = someWork(4);
    const results = [0, 1, 2, 3].map((at) => start(gate, at));
    await settle();
    expect(begun).toEqual([0, 1]);
    jobs[1]?.reject(new Error("broken"));
    await expect(results[1]).rejects.toThrow("broken");
    await settle();
    expect(begun).toEqual([0, 1, 2]);
    jobs[0]?.resolve(7);
    expect(await results[0]).toBe(7);
    await settle();
    expect(begun).toEqual([0, 1, 2, 3]);
    for (const job of jobs) job.resolve(0);
    await Promise.allSettled(results);
  });

  it("passes the slot of a hanging caller to the next, and no slot twice", async () => {
    const clock = new FakeClock();
    const gate = new ConnectGate({ clock, places: 1, patienceMs: 100 });
    const { begun, jobs, start } = someWork(3);
    const results = [0, 1, 2].map((at) => start(gate, at));
    await settle();
    clock.advance(99);
    await settle();
    expect(begun).toEqual([0]);
    clock.advance(1);
    await settle();
    expect(begun).toEqual([0, 1]);
    // Its slot was already passed on, so its late end releases none.
    jobs[0]?.resolve(0);
    await results[0];
    await settle();
    expect(begun).toEqual([0, 1]);
    jobs[1]?.resolve(0);
    await results[1];
    await settle();
    expect(begun).toEqual([0, 1, 2]);
    jobs[2]?.resolve(0);
    await Promise.all(results);
    expect(clock.pending).toBe(0);
  });

  it("drops a waiting caller that aborts", async () => {
    const gate = new ConnectGate({ clock: new FakeClock(), places: 1, patienceMs: 100 });
    const { begun, jobs, start } = someWork(3);
    const controller = new AbortController();
    const first = start(gate, 0);
    const second = start(gate, 1, controller.signal);
    const third = start(gate, 2);
    controller.abort(new Error("never mind"));
    await expect(second).rejects.toThrow("never mind");
    await expect(start(gate, 1, controller.signal)).rejects.toThrow("never mind");
    for (const job of jobs) job.resolve(0);
    await Promise.all([first, third]);
    expect(begun).toEqual([0, 2]);
  });
});
