import { describe, expect, it } from "vitest";
import { SharedWork } from "./shared-work.ts";

const never = new AbortController().signal;

/** Work that ends when it is told to, and counts how often it was begun. */
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
  it("is done once for all who want it at the same time, and again for who comes later", async () => {
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

  it("goes on when one leaves, is broken off when all have left, and is not joined then", async () => {
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

  it("does not begin for who has left already", async () => {
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

  it("gives its error to everybody", async () => {
    const shared = new SharedWork();
    const fail = async (): Promise<never> => {
      throw new Error("broken");
    };
    const outcomes = await Promise.allSettled([shared.run("a", never, fail), shared.run("a", never, fail)]);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  });
});
