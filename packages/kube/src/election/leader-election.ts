import { keyText } from "@butler/resource";
import { backoffDelayMs, type Clock, InvalidInput, sleep, systemClock, type Timer, Unavailable } from "@butler/std";
import { type Gauge, type Logger, MetricsRegistry, silentLogger } from "@butler/telemetry";
import { type LeaseClient, LeaseContender } from "./lease-contender.ts";

export interface LeaderElectionOptions {
  readonly client: LeaseClient;
  readonly namespace: string;
  readonly name: string;
  /** The identity of this candidate. Must be unique to this process: two with the same identity would both lead. */
  readonly identity: string;
  /** How long the others wait for a renewal before one of them takes over. */
  readonly leaseDurationMs?: number;
  /** A leader that cannot renew for this long stops leading. */
  readonly renewDeadlineMs?: number;
  /** How often the leader renews and the others check. */
  readonly retryPeriodMs?: number;
  readonly clock?: Clock;
  readonly random?: () => number;
  readonly logger?: Logger;
  readonly metrics?: MetricsRegistry;
}

/** Why the signal of a leader aborted: another process may lead from here on. */
export class LeadershipLost extends Unavailable {
  override readonly code = "LEADERSHIP_LOST";
}

/** The work of a leader. It must stop when the signal aborts; until it has ended, the Lease is not released. */
export type Lead = (signal: AbortSignal) => Promise<void>;

/** Share of the retry period that is random. */
const jitter = 0.2;

/**
 * Elects one leader among processes by means of a Lease. A leader counts its time from the moment it sent its last
 * successful renewal, the others count theirs from when they saw it, and the leader's time is shorter: it has stopped
 * before any of them takes over, whatever their clocks say and even when its requests hang.
 */
export class LeaderElection {
  readonly #options: Required<Pick<LeaderElectionOptions, "leaseDurationMs" | "renewDeadlineMs" | "retryPeriodMs">>;
  readonly #name: string;
  readonly #contender: LeaseContender;
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #logger: Logger;
  readonly #gauge: Gauge;
  #isLeader = false;
  #lastHolder: string | undefined;

  constructor(options: LeaderElectionOptions) {
    const { client, identity, name, namespace, leaseDurationMs = 15_000, renewDeadlineMs = 10_000 } = options;
    const { retryPeriodMs = 2_000 } = options;
    if (!(retryPeriodMs > 0 && retryPeriodMs < renewDeadlineMs && renewDeadlineMs < leaseDurationMs)) {
      throw new InvalidInput("leader election requires retryPeriodMs < renewDeadlineMs < leaseDurationMs");
    }
    if (identity === "") throw new InvalidInput("leader election requires an identity");
    this.#options = { leaseDurationMs, renewDeadlineMs, retryPeriodMs };
    this.#name = name;
    this.#clock = options.clock ?? systemClock;
    this.#random = options.random ?? Math.random;
    const key = { name, namespace };
    this.#logger = (options.logger ?? silentLogger).with({ object: keyText(key), identity });
    this.#contender = new LeaseContender({
      client,
      key,
      identity,
      leaseDurationMs,
      // Half, so that after a hanging request there is time for another.
      requestTimeoutMs: renewDeadlineMs / 2,
      clock: this.#clock,
    });
    this.#gauge = (options.metrics ?? new MetricsRegistry()).gauge("butler_leader", {
      help: "1 if this process is the leader, 0 otherwise.",
      labels: ["name"],
    });
    this.#gauge.set({ name }, 0);
  }

  /** Whether this process leads now. */
  get isLeader(): boolean {
    return this.#isLeader;
  }

  /**
   * Contends until the signal aborts, and leads whenever it is its turn. Ends earlier only when `lead` ends on its own,
   * with the same outcome. By the time it ends, `lead` has ended and the Lease is released.
   */
  async run(signal: AbortSignal, lead: Lead): Promise<void> {
    while (!signal.aborted) {
      const heldSinceMs = await this.#win(signal);
      if (signal.aborted || heldSinceMs === undefined) return this.#release();
      const isOver = await this.#serve(heldSinceMs, signal, lead);
      if (isOver) return;
    }
  }

  /** Waits until this process holds the Lease; undefined when the signal aborts first. */
  async #win(signal: AbortSignal): Promise<number | undefined> {
    while (!signal.aborted) {
      try {
        const attempt = await this.#contender.acquire(signal);
        if (attempt.isHeld) return attempt.heldSinceMs;
        this.#noteHolder(attempt.holder);
      } catch (error) {
        if (!signal.aborted) this.#logger.warn("cannot acquire the lease", { error });
      }
      await this.#pause(signal);
    }
    return undefined;
  }

  /** One term of leadership; returns whether it was the last. */
  async #serve(heldSinceMs: number, signal: AbortSignal, lead: Lead): Promise<boolean> {
    const lost = new AbortController();
    const finished = new AbortController();
    this.#setLeader(true);
    const kept = this.#keep(heldSinceMs, lost, finished.signal);
    const stopping = AbortSignal.any([signal, lost.signal]);
    const outcome = await settle(() => lead(stopping));
    finished.abort();
    await kept;
    if (!lost.signal.aborted) await this.#release();
    this.#setLeader(false);
    if (!stopping.aborted) {
      if (outcome.status === "rejected") throw outcome.reason;
      return true;
    }
    if (outcome.status === "rejected" && outcome.reason !== stopping.reason) {
      this.#logger.error("leader did not stop cleanly", { error: outcome.reason });
    }
    return signal.aborted;
  }

  /**
   * Renews until the leader has finished, also while it is stopping: as long as it works, no other process may lead.
   */
  async #keep(heldSinceMs: number, lost: AbortController, finished: AbortSignal): Promise<void> {
    const lose = (reason: string): void => this.#lose(lost, reason);
    const ended = AbortSignal.any([lost.signal, finished]);
    const watchdog = this.#watchdog(lose);
    watchdog.rearm(heldSinceMs);
    while (!ended.aborted) {
      await this.#pause(ended);
      if (ended.aborted) break;
      try {
        const attempt = await this.#contender.renew(ended);
        if (attempt.isHeld) watchdog.rearm(attempt.heldSinceMs);
        else lose(attempt.holder === "" ? "the lease was cleared or deleted" : `${attempt.holder} holds the lease`);
      } catch (error) {
        if (!ended.aborted) this.#logger.warn("cannot renew the lease", { error });
      }
    }
    watchdog.cancel();
    if (finished.aborted) return;
    const { leaseDurationMs, renewDeadlineMs } = this.#options;
    const overdue = this.#clock.after(leaseDurationMs - renewDeadlineMs, () =>
      this.#logger.error("still working after losing leadership; another process may already be the leader"),
    );
    finished.addEventListener("abort", () => overdue.cancel(), { once: true });
  }

  /** Ends leadership when the renew deadline has passed, independently of any request. */
  #watchdog(lose: (reason: string) => void): { rearm(heldSinceMs: number): void; cancel(): void } {
    const { renewDeadlineMs } = this.#options;
    let timer: Timer | undefined;
    const expire = (): void => lose(`not renewed for ${renewDeadlineMs} ms`);
    return {
      rearm: (heldSinceMs) => {
        timer?.cancel();
        const remainingMs = heldSinceMs + renewDeadlineMs - this.#clock.monotonicMs();
        if (remainingMs <= 0) expire();
        else timer = this.#clock.after(remainingMs, expire);
      },
      cancel: () => timer?.cancel(),
    };
  }

  #lose(lost: AbortController, reason: string): void {
    if (lost.signal.aborted) return;
    this.#setLeader(false);
    this.#logger.warn("leadership lost", { reason });
    lost.abort(new LeadershipLost(`no longer leader: ${reason}`));
  }

  async #release(): Promise<void> {
    if (!this.#contender.mayHold) return;
    try {
      await this.#contender.release();
      this.#logger.info("lease released");
    } catch (error) {
      this.#logger.warn("cannot release the lease; the next leader has to wait until it expires", { error });
    }
  }

  async #pause(signal: AbortSignal): Promise<void> {
    const { retryPeriodMs } = this.#options;
    const policy = { initialMs: retryPeriodMs, maximumMs: retryPeriodMs, factor: 1, jitter };
    await sleep(this.#clock, backoffDelayMs(policy, 1, this.#random), signal).catch(() => undefined);
  }

  #setLeader(isLeader: boolean): void {
    if (isLeader) this.#logger.info("leading");
    this.#isLeader = isLeader;
    this.#gauge.set({ name: this.#name }, isLeader ? 1 : 0);
  }

  #noteHolder(holder: string): void {
    if (holder !== this.#lastHolder) this.#logger.info("another process is the leader", { holder });
    this.#lastHolder = holder;
  }
}

async function settle(work: () => Promise<void>): Promise<PromiseSettledResult<void>> {
  const [outcome] = await Promise.allSettled([(async () => work())()]);
  return outcome;
}
