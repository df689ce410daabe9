import type { BackoffPolicy } from "@butler/std";
import { eventually, FakeClock } from "@butler/testkit";
import { describe, expect, it } from "vitest";
import { type Lane, WorkQueue } from "./work-queue.ts";

const backoff: BackoffPolicy = { initialMs: 100, maximumMs: 1_000, factor: 2, jitter: 0 };

/** Lets promises that are settled already run their reactions. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function aQueue() {
  const clock = new FakeClock();
  const depths: number[] = [];
  const queue = new WorkQueue({ clock, backoff, onDepth: (depth) => depths.push(depth) });
  return { clock, queue, depths };
}

/** Takes every key that waits, one after the other, working on each for no time. */
async function takeAll(queue: WorkQueue): Promise<string[]> {
  const taken: string[] = [];
  while (queue.depth > 0) {
    const key = await queue.next();
    if (key === undefined) break;
    taken.push(key);
    queue.done(key);
  }
  return taken;
}

describe("add", () => {
  it("queues a key once however often it is added", async () => {
    const { queue } = aQueue();
    for (const key of ["a", "b", "a", "a"]) queue.add(key);
    expect(queue.depth).toBe(2);
    expect(await takeAll(queue)).toEqual(["a", "b"]);
  });

  it("hands out keys in FIFO order", async () => {
    const { queue } = aQueue();
    for (const key of ["c", "a", "b"]) queue.add(key);
    expect(await takeAll(queue)).toEqual(["c", "a", "b"]);
  });

  it("hands a key straight to a worker that waits", async () => {
    const { queue } = aQueue();
    const next = queue.next();
    queue.add("a");
    expect(await next).toBe("a");
    expect(queue).toMatchObject({ depth: 0, inProgress: 1 });
  });

  it("serves waiting workers in FIFO order", async () => {
    const { queue } = aQueue();
    const workers = [queue.next(), queue.next()];
    queue.add("a");
    queue.add("b");
    expect(await Promise.all(workers)).toEqual(["a", "b"]);
  });

  it("prefers live keys to the backlog", async () => {
    const { queue } = aQueue();
    queue.add("old-1", "backlog");
    queue.add("old-2", "backlog");
    queue.add("new", "live");
    expect(await takeAll(queue)).toEqual(["new", "old-1", "old-2"]);
  });

  it("moves a key up from the backlog when it is added as live", async () => {
    const { queue } = aQueue();
    for (const key of ["a", "b", "c"]) queue.add(key, "backlog");
    queue.add("c", "live");
    expect(queue.depth).toBe(3);
    expect(await takeAll(queue)).toEqual(["c", "a", "b"]);
  });

  it("does not move a live key down", async () => {
    const { queue } = aQueue();
    queue.add("a", "live");
    queue.add("a", "backlog");
    queue.add("b", "live");
    expect(queue.depth).toBe(2);
    expect(await takeAll(queue)).toEqual(["a", "b"]);
  });

  it("reports the depth as it changes", async () => {
    const { queue, depths } = aQueue();
    queue.add("a");
    queue.add("b");
    await takeAll(queue);
    expect(depths).toEqual([1, 2, 1, 0]);
  });
});

describe("a key in progress", () => {
  it("is given to no other worker, and requeued once when it was added meanwhile", async () => {
    const { queue } = aQueue();
    queue.add("a");
    await queue.next();
    queue.add("a");
    queue.add("a");
    const second = queue.next();
    let given: string | undefined;
    void second.then((key) => (given = key));
    await settle();
    expect(given).toBeUndefined();
    queue.done("a");
    expect(await second).toBe("a");
    queue.done("a");
    expect(queue).toMatchObject({ depth: 0, inProgress: 0 });
  });

  it("is requeued in the lane in which it was added", async () => {
    const { queue } = aQueue();
    queue.add("a");
    await queue.next();
    queue.add("a", "backlog");
    queue.add("b", "backlog");
    queue.add("c", "live");
    queue.done("a");
    expect(await takeAll(queue)).toEqual(["c", "b", "a"]);
  });

  it.each<[Lane, Lane]>([
    ["live", "backlog"],
    ["backlog", "live"],
  ])("is requeued as live when it was added as %s, then as %s", async (first, then) => {
    const { queue } = aQueue();
    queue.add("a");
    await queue.next();
    queue.add("a", first);
    queue.add("a", then);
    queue.add("b", "backlog");
    queue.done("a");
    expect(await takeAll(queue)).toEqual(["a", "b"]);
  });

  it("is not requeued when it was not added meanwhile", async () => {
    const { queue } = aQueue();
    queue.add("a");
    queue.done((await queue.next()) ?? "");
    expect(queue).toMatchObject({ depth: 0, inProgress: 0, delayed: 0 });
  });
});

describe("addAfter", () => {
  it("delays a key", async () => {
    const { queue, clock } = aQueue();
    queue.addAfter("a", 500);
    clock.advance(499);
    expect(queue).toMatchObject({ depth: 0, delayed: 1 });
    clock.advance(1);
    expect(queue).toMatchObject({ depth: 1, delayed: 0 });
    expect(await takeAll(queue)).toEqual(["a"]);
  });

  it.each([
    ["the longer one first", [500, 200]],
    ["the shorter one first", [200, 500]],
  ])("uses the shortest of several delays: %s", (_order, delays) => {
    const { queue, clock } = aQueue();
    for (const delayMs of delays) queue.addAfter("a", delayMs);
    expect(clock.pending).toBe(1);
    clock.advance(199);
    expect(queue.depth).toBe(0);
    clock.advance(1);
    expect(queue.depth).toBe(1);
    clock.advance(1_000);
    expect(queue).toMatchObject({ depth: 1, delayed: 0 });
  });

  it("counts delays from the call", () => {
    const { queue, clock } = aQueue();
    queue.addAfter("a", 500);
    clock.advance(400);
    queue.addAfter("a", 200);
    clock.advance(100);
    expect(queue.depth).toBe(1);
  });

  it("puts the key in the backlog, behind what has just changed", async () => {
    const { queue, clock } = aQueue();
    queue.addAfter("a", 10);
    clock.advance(10);
    queue.add("b");
    expect(await takeAll(queue)).toEqual(["b", "a"]);
  });

  it("is obsolete when the key is processed sooner", async () => {
    const { queue, clock } = aQueue();
    queue.addAfter("a", 500);
    queue.add("a");
    expect(await takeAll(queue)).toEqual(["a"]);
    clock.advance(1_000);
    expect(queue).toMatchObject({ depth: 0, delayed: 0 });
    expect(clock.pending).toBe(0);
  });

  it("applies when it is called during processing", async () => {
    const { queue, clock } = aQueue();
    queue.add("a");
    await queue.next();
    queue.addAfter("a", 500);
    queue.done("a");
    clock.advance(500);
    expect(await takeAll(queue)).toEqual(["a"]);
  });

  it("requeues a key that is still in progress when its delay ends", async () => {
    const { queue, clock } = aQueue();
    queue.add("a");
    await queue.next();
    queue.addAfter("a", 500);
    clock.advance(500);
    expect(queue).toMatchObject({ depth: 0, inProgress: 1 });
    queue.done("a");
    expect(await takeAll(queue)).toEqual(["a"]);
  });
});

describe("addAfterFailure", () => {
  it("waits longer with every failure in a row, up to the maximum", () => {
    const { queue, clock } = aQueue();
    const delays = Array.from({ length: 6 }, () => {
      const delayMs = queue.addAfterFailure("a");
      clock.advance(delayMs);
      return delayMs;
    });
    expect(delays).toEqual([100, 200, 400, 800, 1_000, 1_000]);
    expect(queue.failuresOf("a")).toBe(6);
  });

  it("counts failures per key", () => {
    const { queue } = aQueue();
    queue.addAfterFailure("a");
    queue.addAfterFailure("a");
    expect(queue.addAfterFailure("b")).toBe(100);
    expect(queue.failuresOf("a")).toBe(2);
  });

  it("starts with the shortest delay again after a success", () => {
    const { queue } = aQueue();
    queue.addAfterFailure("a");
    queue.addAfterFailure("a");
    queue.forget("a");
    expect(queue.failuresOf("a")).toBe(0);
    expect(queue.addAfterFailure("a")).toBe(100);
  });

  it("uses the given random source for jitter", () => {
    const queue = new WorkQueue({ clock: new FakeClock(), backoff: { ...backoff, jitter: 0.5 }, random: () => 0.5 });
    expect(queue.addAfterFailure("a")).toBe(75);
  });
});

describe("postpone", () => {
  it("puts off a key that waits for its time", () => {
    const { queue, clock } = aQueue();
    queue.addAfter("a", 100);
    queue.postpone("a", 500);
    clock.advance(499);
    expect(queue).toMatchObject({ depth: 0, delayed: 1 });
    clock.advance(1);
    expect(queue).toMatchObject({ depth: 1, delayed: 0 });
    expect(clock.pending).toBe(0);
  });
});

describe("close", () => {
  it("releases waiting workers and hands out no more keys", async () => {
    const { queue } = aQueue();
    const idle = [queue.next(), queue.next()];
    queue.close();
    queue.add("a");
    expect(await Promise.all([...idle, queue.next()])).toEqual([undefined, undefined, undefined]);
  });

  it("drops waiting keys and leaves no timer behind", () => {
    const { queue, clock, depths } = aQueue();
    queue.add("a");
    queue.add("b", "backlog");
    queue.addAfter("c", 100);
    queue.close();
    queue.addAfter("d", 100);
    expect(queue).toMatchObject({ depth: 0, delayed: 0 });
    expect(depths.at(-1)).toBe(0);
    expect(clock.pending).toBe(0);
  });

  it("lets work in progress finish, and does not requeue it", async () => {
    const { queue } = aQueue();
    queue.add("a");
    await queue.next();
    queue.add("a");
    queue.close();
    expect(queue.inProgress).toBe(1);
    queue.done("a");
    expect(queue).toMatchObject({ depth: 0, inProgress: 0 });
    expect(await queue.next()).toBeUndefined();
  });
});

describe("drain", () => {
  it("works through the keys in turn until the queue is closed", async () => {
    const { queue } = aQueue();
    const worked: string[] = [];
    const draining = queue.drain(async (key) => {
      worked.push(key);
      // Requeued while in progress, so it follows once this pass is done.
      if (worked.length === 1) queue.add("a");
      await settle();
    });
    for (const key of ["a", "b"]) queue.add(key);
    await eventually(() => worked.length === 3);
    queue.close();
    await draining;
    expect(worked).toEqual(["a", "b", "a"]);
    expect(queue.inProgress).toBe(0);
  });

  it("releases a key whose work has failed", async () => {
    const { queue } = aQueue();
    queue.add("a");
    await expect(queue.drain(() => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
    expect(queue.inProgress).toBe(0);
  });
});
