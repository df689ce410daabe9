import type { Transport } from "@butler/kube";
import { keyText, type ObjectKey } from "@butler/resource";
import { backoffDelayMs, describeError, Forbidden, NotFound, type Timer, Unavailable } from "@butler/std";
import { withDeadline } from "./deadline.ts";
import type { LinkSurroundings } from "./link-surroundings.ts";
import { judge, type News, type Reachability } from "./reachability.ts";
import { TenantUnreachable } from "./tenant-unreachable.ts";
import { verdictOf } from "./verdict.ts";

/** What a prober needs of the connection. */
export interface ProbedLink {
  /** Reads the kubeconfig again. */
  readonly renew: () => Promise<void>;
  readonly transport: () => Transport | undefined;
}

/** Knows whether one tenant answers, finds it out when in doubt, and notices when it answers again. */
export class Prober {
  readonly #key: ObjectKey;
  readonly #surroundings: LinkSurroundings;
  readonly #link: ProbedLink;
  #known: Reachability = { state: "unknown" };
  #told: "reachable" | "unreachable" | undefined;
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

  /** Spares a request the time limit that it would run into. */
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

  /** Takes in what was learned. */
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
    if (known.state === "reachable" && this.#told !== "reachable") {
      // That a tenant answers is news only after it did not.
      logger[this.#told === undefined ? "debug" : "info"]("tenant answers", { tenant });
      this.#told = "reachable";
      onReachable();
    }
    if (known.state === "unreachable" && this.#told !== "unreachable") {
      logger.warn("tenant does not answer", { tenant, reason: describeError(known.cause) });
      this.#told = "unreachable";
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
    // What was learned about a connection that has been replaced since is worth nothing.
    if (transport === this.#link.transport()) this.note(news);
    else this.#plan();
  }

  /** Why it does not answer may be that it has moved, or that our credentials have been replaced. */
  async #renew(): Promise<void> {
    try {
      await this.#link.renew();
    } catch (error) {
      const reason = error instanceof Error ? error.message : "";
      this.#surroundings.logger.debug("kubeconfig of a tenant not read", { tenant: keyText(this.#key), reason });
    }
  }

  async #ask(transport: Transport | undefined): Promise<ProbeNews> {
    const { clock, settings, gate } = this.#surroundings;
    const action = `ask tenant ${keyText(this.#key)} whether it is ready`;
    const deadline = { clock, limitMs: settings.probeTimeoutMs, action };
    const work = async (signal: AbortSignal): Promise<void> => {
      if (transport === undefined) throw new Unavailable("there is no kubeconfig that could be used");
      (await transport.stream({ method: "GET", path: "/readyz", accept: "*/*", signal, action })).close();
    };
    try {
      await gate.run(() => withDeadline(deadline, work));
      return { type: "probe-ready" };
    } catch (error) {
      return newsOf(error);
    }
  }
}

type ProbeNews = Extract<News, { type: `probe-${string}` }>;

/** One that may not tell us whether it is ready answers all the same. */
function newsOf(cause: unknown): ProbeNews {
  if (verdictOf(cause, undefined) !== "answered") return { type: "probe-failed", cause };
  const isRefusal = cause instanceof Forbidden || cause instanceof NotFound;
  return isRefusal ? { type: "probe-ready" } : { type: "probe-unready", cause };
}
