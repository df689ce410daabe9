import { describe, expect, it } from "vitest";
import { SharedWork } from "./shared-work.ts";

const never = new AbortController().signal;

/** Work that is finished manually, and counts how often it was started. */
function manualWork() {
  let finish: (value: string) => void = () => undefined;
  const signals: AbortSignal[] = [];
  const work = (signal: AbortSignal): Promise<string> => {
    signals.push(signal);
    return new Promise((resolve, reject) => {
      finish = resolve;
      signal.addEventListener("abort", () => reject(signal.reason as Error));
    });
  };
  return { work, signals, finish: (value: string) => finish(value) };
}

describe("shared work", () => {
  it("runs once for concurrent callers, and again for later ones", async () => {
    const shared = new SharedWork();
    const { work, signals, finish } = manualWork();
    const waiting = [shared.run("a", never, work), shared.run("a", never, work)];
    finish("done");
    expect(await Promise.all(waiting)).toEqual(["done", "done"]);
    const later = shared.run("a", never, work);
    finish("again");
    expect(await later).toBe("again");
    expect(signals).toHaveLength(2);
  });

  it("continues when one caller leaves, is canceled when all have left, and is not joined after that", async () => {
    const shared = new SharedWork();
    const { work, signals, finish } = manualWork();
    const [one, other] = [new AbortController(), new AbortController()];
    const first = shared.run("a", one.signal, work);
    const second = shared.run("a", other.signal, work);
    one.abort(new Error("one left"));
    await expect(first).rejects.toThrow("one left");
    expect(signals[0]?.aborted).toBe(false);
    other.abort(new Error("the other left"));
    await expect(second).rejects.toThrow("the other left");
    expect(signals[0]?.aborted).toBe(true);
    const third = shared.run("a", never, work);
    finish("new");
    expect(await third).toBe("new");
  });

  it("does not start for an aborted caller", async () => {
    const { work, signals } = manualWork();
    const gone = AbortSignal.abort(new Error("gone"));
    await expect(new SharedWork().run("a", gone, work)).rejects.toThrow("gone");
    expect(signals).toHaveLength(0);
  });

  it("ends for all when it is stopped", async () => {
    const shared = new SharedWork();
    const { work } = manualWork();
    const waiting = shared.run("a", never, work);
    await Promise.all([shared.stop(new Error("closed")), expect(waiting).rejects.toThrow("closed")]);
  });

  it("passes its error to every caller", async () => {
    const shared = new SharedWork();
    const fail = async (): Promise<never> => {
      throw new Error("broken");
    };
    const outcomes = await Promise.allSettled([shared.run("a", never, fail), shared.run("a", never, fail)]);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  });
});
