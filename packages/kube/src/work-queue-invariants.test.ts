import { FakeClock } from "@butler/testkit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Lane, WorkQueue } from "./work-queue.ts";

const backoff = { initialMs: 100, maximumMs: 1_000, factor: 2, jitter: 0 };

/** Lets promises that are settled already run their reactions. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** What can happen to a queue; keys and workers are few, so that they meet. */
type Step =
  | { readonly do: "add"; readonly key: string; readonly lane: Lane }
  | { readonly do: "addAfter" | "postpone"; readonly key: string; readonly delayMs: number }
  | { readonly do: "fail" | "finish"; readonly worker: number }
  | { readonly do: "advance"; readonly byMs: number };

const key = fc.constantFrom("a", "b", "c");
const delayMs = fc.nat({ max: 400 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant("add" as const), key, lane: fc.constantFrom<Lane>("live", "backlog") }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom("addAfter" as const, "postpone" as const), key, delayMs }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constantFrom("fail" as const, "finish" as const), worker: fc.nat({ max: 2 }) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("advance" as const), byMs: delayMs }) },
);

/** Workers that hold their key until released, and a record of queued and processed keys. */
class Workshop {
  readonly clock = new FakeClock();
  readonly queue = new WorkQueue({ clock: this.clock, backoff });
  /** Keys that were handed out while a worker was processing them. */
  readonly collisions: string[] = [];
  readonly #workers = new Map<number, string>();
  readonly #askedAt = new Map<string, number>();
  readonly #startedAt = new Map<string, number>();
  #moment = 0;

  constructor(workers: number) {
    for (let worker = 0; worker < workers; worker++) void this.#wait(worker);
  }

  async carryOut(next: Step): Promise<void> {
    this.#moment++;
    switch (next.do) {
      case "add":
        this.#askedAt.set(next.key, this.#moment);
        this.queue.add(next.key, next.lane);
        break;
      case "addAfter":
      case "postpone":
        this.#askedAt.set(next.key, this.#moment);
        this.queue[next.do](next.key, next.delayMs);
        break;
      case "fail":
      case "finish":
        this.#finish(next.worker, next.do === "fail");
        break;
      case "advance":
        this.clock.advance(next.byMs);
    }
    await settle();
    expect(this.queue.inProgress).toBe(this.#workers.size);
  }

  /** Advances the clock and completes all work. */
  async drain(): Promise<void> {
    while (this.#workers.size > 0 || this.queue.depth > 0 || this.queue.delayed > 0) {
      await this.carryOut({ do: "advance", byMs: 1_000 });
      for (const worker of this.#workers.keys()) await this.carryOut({ do: "finish", worker });
    }
  }

  /** The keys that no worker has started since they were last added. */
  neglected(): string[] {
    const wasStarted = (asked: string): boolean =>
      (this.#startedAt.get(asked) ?? -1) >= (this.#askedAt.get(asked) ?? Infinity);
    return [...this.#askedAt.keys()].filter((asked) => !wasStarted(asked));
  }

  #finish(worker: number, hasFailed: boolean): void {
    const held = this.#workers.get(worker);
    if (held === undefined) return;
    this.#workers.delete(worker);
    if (hasFailed) {
      this.#askedAt.set(held, this.#moment);
      this.queue.addAfterFailure(held);
    }
    this.queue.done(held);
    void this.#wait(worker);
  }

  async #wait(worker: number): Promise<void> {
    const given = await this.queue.next();
    if (given === undefined) return;
    if ([...this.#workers.values()].includes(given)) this.collisions.push(given);
    this.#workers.set(worker, given);
    this.#startedAt.set(given, this.#moment);
  }
}

describe("a WorkQueue, whatever happens", () => {
  const steps = fc.array(step, { maxLength: 60, size: "max" });

  it("no key has two concurrent workers, and each is processed after it was last added", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 3 }), steps, async (workers, course) => {
        const workshop = new Workshop(workers);
        for (const next of course) await workshop.carryOut(next);
        await workshop.drain();
        expect(workshop.collisions).toEqual([]);
        expect(workshop.neglected()).toEqual([]);
        expect(workshop.clock.pending).toBe(0);
      }),
      { numRuns: 300 },
    );
  });

  it("no worker is idle while a key waits", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 3 }), steps, async (workers, course) => {
        const workshop = new Workshop(workers);
        for (const next of course) {
          await workshop.carryOut(next);
          expect(workshop.queue.depth === 0 || workshop.queue.inProgress === workers).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });
});
