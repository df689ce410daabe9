import type { EventEmitter } from "node:events";
import { constants } from "node:os";
import { type Clock, systemClock, type Timer } from "@butler/std";
import type { Logger, MetricsRegistry } from "@butler/telemetry";
import { publishEventLoopDelay } from "./event-loop-delay.ts";
import { startHealthServer } from "./health-server.ts";

export interface ProcessOptions {
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
  /** The work of the process. Must end when the signal aborts. */
  readonly roles: (signal: AbortSignal) => Promise<void>;
  readonly isReady: () => boolean;
  /** Why the process is not ready; for the response of /readyz. */
  readonly waitsFor?: () => readonly string[];
  /** The port of /healthz, /readyz and /metrics; not served by default. */
  readonly healthPort?: number | undefined;
  /** Called with the port, useful when `healthPort` is 0. */
  readonly onHealthPort?: (port: number) => void;
  /** The grace period for the roles; less than the pod's terminationGracePeriodSeconds, which is 30 by default. */
  readonly shutdownGraceMs?: number;
  readonly clock?: Clock;
  /** The source of signals and faults; the process by default. */
  readonly events?: Pick<EventEmitter, "on" | "off">;
}

const stopSignals = ["SIGTERM", "SIGINT"] as const;
const faults = ["unhandledRejection", "uncaughtException"] as const;

/**
 * Runs a process from start to end and returns its exit code: 0 when the roles ended normally, 1 after a failure, a
 * fault or a shutdown that took too long, 128 and the signal's number when a second signal cut the shutdown short. The
 * caller exits with it, which also ends whatever is still running.
 */
export async function runProcess(options: ProcessOptions): Promise<number> {
  const { metrics, isReady, waitsFor, healthPort, clock = systemClock } = options;
  const shutdown = new Shutdown(options);
  const stopListening = shutdown.listen(options.events ?? process);
  const stopMeasuring = publishEventLoopDelay(metrics, { clock });
  try {
    const health =
      healthPort === undefined
        ? undefined
        : await startHealthServer({
            port: healthPort,
            metrics,
            isReady: () => !shutdown.signal.aborted && isReady(),
            ...(waitsFor === undefined ? {} : { waitsFor }),
          });
    if (health !== undefined) options.onHealthPort?.(health.port);
    try {
      return await shutdown.guard(options.roles);
    } finally {
      await health?.close();
    }
  } finally {
    stopMeasuring();
    stopListening();
  }
}

/** Decides when the process exits, and with which code. */
class Shutdown {
  readonly #logger: Logger;
  readonly #clock: Clock;
  readonly #graceMs: number;
  readonly #controller = new AbortController();
  readonly #cutShort = Promise.withResolvers<number>();
  readonly #faultCount;
  #graceTimer: Timer | undefined;
  #hasFault = false;
  #signalsSeen = 0;

  constructor({ logger, metrics, clock = systemClock, shutdownGraceMs = 25_000 }: ProcessOptions) {
    this.#logger = logger;
    this.#clock = clock;
    this.#graceMs = shutdownGraceMs;
    this.#faultCount = metrics.counter("butler_process_faults_total", {
      help: "Unhandled rejections and uncaught exceptions.",
      labels: ["kind"],
    });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Attaches to signals and faults; gives a function that detaches. */
  listen(events: Pick<EventEmitter, "on" | "off">): () => void {
    const listeners = [
      ...stopSignals.map((name) => [name, () => this.#onSignal(name)] as const),
      ...faults.map((kind) => [kind, (error: unknown) => this.#onFault(kind, error)] as const),
    ];
    for (const [name, listener] of listeners) events.on(name, listener);
    return () => {
      for (const [name, listener] of listeners) events.off(name, listener);
      this.#graceTimer?.cancel();
    };
  }

  /** Runs the roles until they end or the grace period expires. */
  async guard(roles: ProcessOptions["roles"]): Promise<number> {
    const code = await Promise.race([this.#run(roles), this.#cutShort.promise]);
    return this.#hasFault && code === 0 ? 1 : code;
  }

  async #run(roles: ProcessOptions["roles"]): Promise<number> {
    try {
      await roles(this.signal);
      return 0;
    } catch (error) {
      if (this.signal.aborted && isAbort(error, this.signal)) return 0;
      this.#logger.error("process failed", { error });
      return 1;
    } finally {
      this.#controller.abort();
    }
  }

  #onSignal(name: (typeof stopSignals)[number]): void {
    this.#signalsSeen++;
    if (this.#signalsSeen > 1) {
      this.#logger.warn("second signal; exiting immediately", { signal: name });
      this.#cutShort.resolve(128 + constants.signals[name]);
      return;
    }
    this.#logger.info("shutting down", { signal: name });
    this.#begin();
  }

  #onFault(kind: (typeof faults)[number], error: unknown): void {
    this.#hasFault = true;
    this.#faultCount.inc({ kind });
    this.#logger.error("unhandled error; shutting down", { kind, error, stack: stackOf(error) });
    this.#begin();
  }

  #begin(): void {
    if (this.signal.aborted) return;
    this.#graceTimer = this.#clock.after(this.#graceMs, () => {
      this.#logger.error("shutdown took too long", { graceMs: this.#graceMs });
      this.#cutShort.resolve(1);
    });
    this.#controller.abort();
  }
}

function isAbort(error: unknown, signal: AbortSignal): boolean {
  return error === signal.reason || (error instanceof Error && error.name === "AbortError");
}

function stackOf(error: unknown): string | undefined {
  return error instanceof Error ? error.stack : undefined;
}
