import type { Transport } from "@butler/kube";
import { keyText, type ObjectKey } from "@butler/resource";
import {
  backoffDelayMs,
  describeError,
  Forbidden,
  NotFound,
  type Timer,
  Unavailable,
  withTimeLimit,
} from "@butler/std";
import type { LinkSurroundings } from "./link-surroundings.ts";
import { judge, type News, type Reachability } from "./reachability.ts";
import { TenantUnreachable } from "./tenant-unreachable.ts";
import { verdictOf } from "./verdict.ts";

/** The part of the connection that a prober needs. */
export interface ProbedLink {
  /** Reads the kubeconfig again. */
  readonly renew: () => Promise<void>;
  readonly transport: () => Transport | undefined;
}

/** Tracks the reachability of one tenant, probes it when in doubt, and detects its recovery. */
export class Prober {
  readonly #key: ObjectKey;
  readonly #surroundings: LinkSurroundings;
  readonly #link: ProbedLink;
  #known: Reachability = { state: "unknown" };
  #reported: "reachable" | "unreachable" | undefined;
  #timer: Timer | undefined;
  #isProbing = false;
  #isClosed = false;

  constructor(key: ObjectKey, surroundings: LinkSurroundings, link: ProbedLink) {
    this.#key = key;
    this.#surroundings = surroundings;
    this.#link = link;
    surroundings.metrics.moved(undefined, this.#known.state);
  }

  get state(): Reachability["state"] {
    return this.#known.state;
  }

  /** Fails a request fast instead of letting it time out. */
  throwIfUnreachable(): void {
    const known = this.#known;
    if (this.#isClosed) throw new Unavailable(`the connection to tenant ${keyText(this.#key)} has been closed`);
    if (known.state !== "unreachable") return;
    const { clock, metrics } = this.#surroundings;
    metrics.refusals.inc();
    const at = (monotonicMs: number): Date => new Date(clock.now().getTime() + monotonicMs - clock.monotonicMs());
    const { cause, sinceMs, nextAttemptAtMs } = known;
    throw new TenantUnreachable(this.#key, { cause, since: at(sinceMs), nextAttempt: at(nextAttemptAtMs) });
  }

  /** Handles a reachability event. */
  note(news: News): void {
    if (this.#isClosed) return;
    const { clock, random, settings, metrics } = this.#surroundings;
    const former = this.#known;
    const delayMs = (attempts: number): number => backoffDelayMs(settings.backoff, attempts, random);
    this.#known = judge(former, news, { nowMs: clock.monotonicMs(), delayMs });
    if (this.#known === former) return;
    if (former.state !== this.#known.state) metrics.moved(former.state, this.#known.state);
    this.#plan();
    this.#tell();
  }

  /** Probes no more. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#timer?.cancel();
    this.#surroundings.metrics.moved(this.#known.state, undefined);
  }

  #plan(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    if (this.#isClosed) return;
    const { clock } = this.#surroundings;
    const known = this.#known;
    if (known.state === "doubted") void this.#probe();
    if (known.state !== "unreachable") return;
    this.#timer = clock.after(known.nextAttemptAtMs - clock.monotonicMs(), () => void this.#probe());
  }

  #tell(): void {
    const known = this.#known;
    const { logger, onReachable, onUnreachable } = this.#surroundings;
    const tenant = keyText(this.#key);
    if (known.state === "reachable" && this.#reported !== "reachable") {
      // A reachable tenant is logged only after it was unreachable.
      logger[this.#reported === undefined ? "debug" : "info"]("tenant reachable", { tenant });
      this.#reported = "reachable";
      onReachable();
    }
    if (known.state === "unreachable" && this.#reported !== "unreachable") {
      logger.warn("tenant unreachable", { tenant, reason: describeError(known.cause) });
      this.#reported = "unreachable";
      onUnreachable(known.cause);
    }
  }

  /** Never rejects. */
  async #probe(): Promise<void> {
    if (this.#isProbing || this.#isClosed) return;
    this.#isProbing = true;
    await this.#renew();
    const transport = this.#link.transport();
    const news = await this.#ask(transport);
    this.#isProbing = false;
    this.#surroundings.metrics.probes.inc({ outcome: news.type.replace("probe-", "") });
    // A result of a connection that has been replaced since is ignored.
    if (transport === this.#link.transport()) this.note(news);
    else this.#plan();
  }

  /** It may be unreachable because it has moved, or because our credentials were replaced. */
  async #renew(): Promise<void> {
    try {
      await this.#link.renew();
    } catch (error) {
      const reason = error instanceof Error ? error.message : "";
      this.#surroundings.logger.debug("cannot read tenant kubeconfig", { tenant: keyText(this.#key), reason });
    }
  }

  async #ask(transport: Transport | undefined): Promise<ProbeNews> {
    const { clock, settings, gate } = this.#surroundings;
    const action = `check readiness of tenant ${keyText(this.#key)}`;
    const deadline = { clock, limitMs: settings.probeTimeoutMs, action };
    const work = async (signal: AbortSignal): Promise<void> => {
      if (transport === undefined) throw new Unavailable("no usable kubeconfig");
      (await transport.stream({ method: "GET", path: "/readyz", accept: "*/*", signal, action })).close();
    };
    try {
      await gate.run(() => withTimeLimit(deadline, work));
      return { type: "probe-ready" };
    } catch (error) {
      return newsOf(error);
    }
  }
}

type ProbeNews = Extract<News, { type: `probe-${string}` }>;

/** A server that denies the readiness check is still reachable. */
function newsOf(cause: unknown): ProbeNews {
  if (verdictOf(cause, undefined) !== "answered") return { type: "probe-failed", cause };
  const isRefusal = cause instanceof Forbidden || cause instanceof NotFound;
  return isRefusal ? { type: "probe-ready" } : { type: "probe-unready", cause };
}
