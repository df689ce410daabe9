import { type Clock, systemClock } from "@butler/std";
import { DecodeRefused } from "./decode-refused.ts";

const minuteMs = 60_000;

interface Spent {
  readonly sinceMs: number;
  bytes: number;
}

/** How many bytes of releases each tenant has had unpacked within a minute. */
export class UnpackBudget {
  readonly #bytesPerMinute: number;
  readonly #clock: Clock;
  readonly #spent = new Map<string, Spent>();

  constructor(bytesPerMinute: number, clock: Clock = systemClock) {
    this.#bytesPerMinute = bytesPerMinute;
    this.#clock = clock;
  }

  /** Throws when a group has used up its budget. */
  require(group: string): void {
    const spent = this.#of(group);
    if (spent.bytes < this.#bytesPerMinute) return;
    const limit = Math.round(this.#bytesPerMinute / 1024 / 1024);
    const why = `the releases of this cluster unpacked to more than ${limit} MiB within a minute; retrying later`;
    throw new DecodeRefused("budget", `cannot read the release: ${why}`);
  }

  /** Records what was unpacked. */
  spend(group: string, bytes: number): void {
    this.#of(group).bytes += bytes;
  }

  #of(group: string): Spent {
    const nowMs = this.#clock.monotonicMs();
    for (const [name, { sinceMs }] of this.#spent) {
      if (nowMs - sinceMs >= minuteMs) this.#spent.delete(name);
    }
    const spent = this.#spent.get(group) ?? { sinceMs: nowMs, bytes: 0 };
    this.#spent.set(group, spent);
    return spent;
  }
}
