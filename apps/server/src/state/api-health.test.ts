import { NotFound, Unavailable } from "@butler/std";
import { FakeClock } from "@butler/testkit";
import { describe, expect, it } from "vitest";
import { ApiHealth, apiProbe, until } from "./api-health.ts";

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Advances the clock in steps of half a second. */
async function pass(clock: FakeClock, ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 500) {
    clock.advance(500);
    await settle();
  }
}

describe("the health of the Kubernetes API", () => {
  it.each<[string, (signal: AbortSignal) => Promise<unknown>]>([
    [
      "hangs",
      (signal) =>
        new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error))),
    ],
    ["refuses connections", () => Promise.reject(new Unavailable("connection refused"))],
  ])("is lost within seven seconds if the API server %s, and returns with the first response", async (_what, fault) => {
    const clock = new FakeClock();
    let isFaulty = false;
    const health = new ApiHealth({ clock, probe: (signal) => (isFaulty ? fault(signal) : Promise.resolve()) });
    const over = new AbortController();
    const running = health.run(over.signal);
    await pass(clock, 10_000);
    const { lost } = health;
    isFaulty = true;
    // One response that is late is not a loss.
    await pass(clock, 4_000);
    expect(health.isAvailable).toBe(true);
    await pass(clock, 3_000);
    expect([health.isAvailable, lost.aborted]).toEqual([false, true]);
    expect(lost.reason).toMatchObject({ code: "UNAVAILABLE", retryAfterSeconds: 5 });
    isFaulty = false;
    await pass(clock, 4_000);
    expect([health.isAvailable, health.lost.aborted]).toEqual([true, false]);
    over.abort();
    await running;
  });

  it("counts a refusal as a response, and an error of the API server as none", async () => {
    const probing = (status: number | undefined) => {
      const details = status === undefined ? {} : { status };
      const error = new (status === 404 ? NotFound : Unavailable)("refused", { details });
      return apiProbe({ find: () => Promise.reject(error) })(new AbortController().signal);
    };
    await expect(probing(403)).resolves.toBeUndefined();
    await expect(probing(404)).resolves.toBeUndefined();
    await expect(probing(503)).rejects.toThrow("refused");
    await expect(probing(undefined)).rejects.toThrow("refused");
  });

  it("ends waiting for work that needs the API", async () => {
    const lost = new AbortController();
    const waiting = until(lost.signal, new Promise(() => undefined));
    lost.abort(new Unavailable("lost"));
    await expect(waiting).rejects.toThrow("lost");
    await expect(until(lost.signal, new Promise(() => undefined))).rejects.toThrow("lost");
    await expect(until(undefined, Promise.resolve(1))).resolves.toBe(1);
    await expect(until(new AbortController().signal, Promise.resolve(1))).resolves.toBe(1);
  });
});
