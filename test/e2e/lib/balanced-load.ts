import { eventually } from "@butler/testkit";
import type { PersonAtServer } from "./person-at-server.ts";

/** Result of the load. */
export interface BalancedReport {
  readonly sent: number;
  /** Failed requests that no killed replica explains. */
  readonly failures: readonly string[];
  /** Requests in progress at a replica when it was killed. */
  readonly inFlight: number;
  /** IDs of acknowledged writes. */
  readonly confirmed: readonly string[];
}

const perSecond = 20;

/**
 * Twenty requests a second of a signed-in user, round-robin over several replicas, like a load balancer without sticky
 * sessions: a replica that accepts no connection is skipped. Every fifth request creates a team.
 */
export class BalancedLoad {
  readonly #urls: readonly string[];
  readonly #person: PersonAtServer;
  readonly #underWay = new Set<Promise<void>>();
  readonly #deaths: { readonly url: string; untilMs: number }[] = [];
  readonly #failures: string[] = [];
  readonly #confirmed: string[] = [];
  readonly #timer: NodeJS.Timeout;
  #sent = 0;
  #inFlight = 0;

  constructor(urls: readonly string[], person: PersonAtServer) {
    this.#urls = urls;
    this.#person = person;
    this.#timer = setInterval(() => this.#beat(), 1_000 / perSecond);
  }

  /** Resolves when as many more requests have been sent as that time allows. */
  async forMs(milliseconds: number): Promise<void> {
    const enough = this.#sent + (milliseconds / 1_000) * perSecond;
    await eventually(() => this.#sent >= enough, { timeoutMs: 4 * milliseconds + 30_000, what: "more requests" });
  }

  /** To be called right before a replica is killed; returns a function to call after its exit. */
  dies(url: string): () => void {
    const death = { url, untilMs: Number.POSITIVE_INFINITY };
    this.#deaths.push(death);
    return () => (death.untilMs = performance.now());
  }

  async stop(): Promise<BalancedReport> {
    clearInterval(this.#timer);
    await Promise.all(this.#underWay);
    const [sent, failures, inFlight, confirmed] = [this.#sent, this.#failures, this.#inFlight, this.#confirmed];
    return { sent, failures, inFlight, confirmed };
  }

  #beat(): void {
    const request = this.#send(this.#sent++).finally(() => this.#underWay.delete(request));
    this.#underWay.add(request);
  }

  async #send(number: number): Promise<void> {
    for (let turn = 0; turn < this.#urls.length; turn++) {
      const url = this.#urls[(number + turn) % this.#urls.length] ?? "";
      const startedAt = performance.now();
      try {
        await this.#ask(this.#person.at(url), number);
        return;
      } catch (error) {
        // Nothing was sent, so another replica may have it.
        if (codeOf(error) === "ECONNREFUSED") continue;
        // It may have been handling a request that arrived before its exit.
        const hasDiedMeanwhile = this.#deaths.some((death) => death.url === url && startedAt <= death.untilMs);
        if (hasDiedMeanwhile && codeOf(error) !== undefined) this.#inFlight++;
        else this.#failures.push(`${number} at ${url}: ${String(error)} ${codeOf(error) ?? ""}`);
        return;
      }
    }
    this.#failures.push(`${number}: no replica accepted it`);
  }

  async #ask(person: PersonAtServer, number: number): Promise<void> {
    const isWrite = number % 5 === 0;
    const answer = isWrite
      ? await person.ask("POST", "/api/teams", { name: `team-${number}` })
      : await person.ask("GET", "/api/teams?limit=50");
    const { status, body, requestId } = answer;
    if (status !== (isWrite ? 201 : 200)) throw new Error(`status ${status} ${JSON.stringify(body)}`);
    if (isWrite) this.#confirmed.push(requestId);
  }
}

/** The error of the connection; undefined when there was a response. */
function codeOf(error: unknown): string | undefined {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error ? (cause as NodeJS.ErrnoException).code : undefined;
  return code ?? (error instanceof TypeError ? "ENDED" : undefined);
}
