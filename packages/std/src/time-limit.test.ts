import { FakeClock } from "@butler/testkit";
import { describe, expect, it } from "vitest";
import { Timeout } from "./errors.ts";
import { withTimeLimit } from "./time-limit.ts";

const never = (): Promise<never> => new Promise(() => undefined);

describe("withTimeLimit", () => {
  it("returns the outcome of work that ends in time, and leaves no timer", async () => {
    const clock = new FakeClock();
    const limit = { clock, limitMs: 10, action: "count" };
    expect(await withTimeLimit(limit, async () => 7)).toBe(7);
    const failure = new Error("no");
    await expect(withTimeLimit(limit, () => Promise.reject(failure))).rejects.toBe(failure);
    expect(clock.pending).toBe(0);
  });

  it("ends with Timeout, and aborts the work's signal with the same reason", async () => {
    const clock = new FakeClock();
    let given: AbortSignal | undefined;
    const outcome = withTimeLimit({ clock, limitMs: 10, action: "count" }, (signal) => {
      given = signal;
      return never();
    });
    clock.advance(10);
    await expect(outcome).rejects.toThrow(new Timeout("count: timed out after 10 ms"));
    expect(given?.reason).toBeInstanceOf(Timeout);
  });

  it("ends with the reason of the outer signal, and does not start when that has aborted", async () => {
    const clock = new FakeClock();
    const outer = new AbortController();
    const reason = new Error("shutting down");
    const limit = { clock, limitMs: 10, action: "count", signal: outer.signal };
    const outcome = withTimeLimit(limit, never);
    outer.abort(reason);
    await expect(outcome).rejects.toBe(reason);
    let hasBegun = false;
    const late = withTimeLimit(limit, async () => {
      hasBegun = true;
    });
    await expect(late).rejects.toBe(reason);
    expect(hasBegun).toBe(false);
    expect(clock.pending).toBe(0);
  });
});
