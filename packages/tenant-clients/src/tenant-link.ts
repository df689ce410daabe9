import type { ApiRequest, ApiStream, Transport } from "@butler/kube";
import { keyText, type ObjectKey } from "@butler/resource";
import { InvalidInput, Unavailable, withTimeLimit } from "@butler/std";
import type { LinkSurroundings } from "./link-surroundings.ts";
import { Prober } from "./prober.ts";
import type { News } from "./reachability.ts";
import { digestOfKubeconfig, openLine, type TenantLine } from "./tenant-line.ts";
import type { Sender } from "./tenant-transport.ts";
import { isAboutCredentials, type Verdict, verdictOf } from "./verdict.ts";

/** The total timeout of a request, in multiples of the attempt timeout. */
const totalLimits = 3;

/** The connection to one tenant, across changes of its kubeconfig. */
export class TenantLink implements Sender {
  readonly key: ObjectKey;
  readonly #surroundings: LinkSurroundings;
  readonly #prober: Prober;
  #line: TenantLine | undefined;
  #reading: Promise<TenantLine> | undefined;
  #digest: string | undefined;
  #authority: string | undefined;
  #readAtMs = Number.NEGATIVE_INFINITY;
  #busy = 0;
  #usedAtMs: number;
  #isClosed = false;

  constructor(key: ObjectKey, surroundings: LinkSurroundings) {
    this.key = key;
    this.#surroundings = surroundings;
    this.#usedAtMs = surroundings.clock.monotonicMs();
    this.#prober = new Prober(key, surroundings, {
      renew: async () => void (await this.#read()),
      transport: () => this.#line?.transport,
    });
  }

  get state(): Prober["state"] {
    return this.#prober.state;
  }

  /** How long it has been idle; 0 while requests are in progress. */
  get idleMs(): number {
    return this.#busy > 0 ? 0 : this.#surroundings.clock.monotonicMs() - this.#usedAtMs;
  }

  /** Settles when requests can be sent; rejects at once with the reason when they cannot. */
  async ready(signal: AbortSignal): Promise<void> {
    this.#use();
    this.#prober.throwIfUnreachable();
    const { clock, settings } = this.#surroundings;
    if (this.#line !== undefined && clock.monotonicMs() - this.#readAtMs < settings.recheckMs) return;
    await this.#renew(signal);
  }

  /** A request also has a total timeout: a tenant may send any number of Retry-After responses. */
  json<T>(call: ApiRequest): Promise<T> {
    const { clock, settings } = this.#surroundings;
    const { action, signal: wanted } = call;
    const limitMs = totalLimits * settings.requestTimeoutMs;
    return withTimeLimit({ clock, limitMs, action, signal: wanted }, (signal) => {
      const limited = { ...call, signal };
      return this.#send(limited, (transport) => transport.json<T>(limited));
    });
  }

  async stream(call: ApiRequest): Promise<ApiStream> {
    const stream = await this.#send(call, (transport) => transport.stream(call));
    this.#busy++;
    stream.body.once("close", () => {
      this.#busy--;
      this.#use();
    });
    return stream;
  }

  /** Reads the kubeconfig again because it may have changed. Never rejects. */
  async lookAgain(): Promise<void> {
    // One that was not read yet is read when needed.
    if (this.#line === undefined && this.#reading === undefined && this.state !== "unreachable") return;
    await this.#reading?.catch(() => undefined);
    await this.#read().catch((error: unknown) => {
      if (error instanceof InvalidInput) return;
      this.#surroundings.logger.warn("cannot read tenant kubeconfig", { tenant: keyText(this.key), error });
    });
  }

  /** Closes everything; requests in flight fail. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#prober.close();
    const line = this.#line;
    this.#line = undefined;
    await line?.close();
  }

  async #send<T>(call: ApiRequest, send: (transport: Transport) => Promise<T>): Promise<T> {
    this.#use();
    this.#busy++;
    try {
      this.#prober.throwIfUnreachable();
      const line = await whileWanted(this.#present(), call.signal);
      try {
        return await this.#attempt(line, call, send);
      } catch (error) {
        const other = await this.#lineAfter(line, call, error);
        if (other === undefined) throw error;
        return await this.#attempt(other, call, send);
      }
    } finally {
      this.#busy--;
      this.#use();
    }
  }

  async #attempt<T>(...[line, call, send]: [TenantLine, ApiRequest, (to: Transport) => Promise<T>]): Promise<T> {
    const work = (): Promise<T> => send(line.transport);
    try {
      const result = await (line.isProven ? work() : this.#surroundings.gate.run(work, call.signal));
      this.#note(line, { type: "answered" });
      return result;
    } catch (error) {
      this.#noteFailure(line, verdictOf(error, call.signal), error);
      throw error;
    }
  }

  #noteFailure(line: TenantLine, verdict: Verdict, error: unknown): void {
    // A connection that we closed during a request says nothing about the server.
    if (verdict === "unheard" || line !== this.#line) return;
    if (verdict === "answered") {
      this.#note(line, { type: "answered" });
      return;
    }
    this.#surroundings.metrics.failures.inc({ reason: verdict });
    this.#note(line, { type: "unanswered", cause: error });
  }

  #note(line: TenantLine, news: News): void {
    if (line !== this.#line) return;
    line.isProven ||= news.type === "answered";
    this.#prober.note(news);
  }

  /** Another line for a failed request, if there is a new one and the request can be repeated safely. */
  async #lineAfter(failed: TenantLine, call: ApiRequest, error: unknown): Promise<TenantLine | undefined> {
    const verdict = verdictOf(error, call.signal);
    const wasReplaced = this.#line !== failed;
    if (isAboutCredentials(verdict)) {
      // The tenant's response is more informative than the reason for missing credentials.
      const line = await whileWanted(wasReplaced ? this.#present() : this.#read(), call.signal).catch(() => failed);
      return line === failed ? undefined : line;
    }
    const isBrokenOff = wasReplaced && verdict === "unanswered" && call.method === "GET";
    return isBrokenOff ? whileWanted(this.#present(), call.signal) : undefined;
  }

  /** Reads the kubeconfig again; falls back to the current one. */
  async #renew(signal: AbortSignal): Promise<void> {
    try {
      await whileWanted(this.#read(), signal);
    } catch (error) {
      if (this.#line === undefined || signal.aborted) throw error;
      this.#surroundings.logger.debug("cannot read tenant kubeconfig", { tenant: keyText(this.key), error });
    }
  }

  #present(): Promise<TenantLine> {
    return this.#line === undefined ? this.#read() : Promise.resolve(this.#line);
  }

  #read(): Promise<TenantLine> {
    this.#reading ??= this.#readNow().finally(() => (this.#reading = undefined));
    return this.#reading;
  }

  async #readNow(): Promise<TenantLine> {
    const { source, clock, settings } = this.#surroundings;
    const name = keyText(this.key);
    const deadline = { clock, limitMs: settings.requestTimeoutMs, action: `read the kubeconfig of tenant ${name}` };
    const text = await withTimeLimit(deadline, (signal) => source.read(this.key, signal));
    if (this.#isClosed) throw new Unavailable(`the connection to tenant ${name} has been closed`);
    if (text === undefined) {
      this.#surroundings.onGone(this.#digest !== undefined);
      throw new Unavailable(`tenant ${name} has no kubeconfig`, {
        hint: "The kubeconfig does not exist yet, or the tenant was deleted. Retry when its control plane is ready.",
        details: { tenant: name },
      });
    }
    this.#readAtMs = clock.monotonicMs();
    const present = this.#line;
    const digest = digestOfKubeconfig(text);
    if (present !== undefined && this.#digest === digest) return present;
    this.#digest = digest;
    return this.#replace(present, text);
  }

  #replace(former: TenantLine | undefined, text: string): TenantLine {
    const { transport, metrics, logger, onReplaced } = this.#surroundings;
    this.#line = undefined;
    void former?.close().catch(() => undefined);
    try {
      this.#line = openLine(text, transport);
    } catch (error) {
      if (!(error instanceof InvalidInput)) throw error;
      metrics.failures.inc({ reason: "kubeconfig" });
      // Without its causes: a parser error may quote the text.
      logger.warn("tenant kubeconfig rejected", { tenant: keyText(this.key), reason: error.message });
      throw error;
    }
    const formerAuthority = this.#authority;
    this.#authority = this.#line.authority;
    metrics.connects.inc({ occasion: formerAuthority === undefined ? "first" : "changed" });
    this.#prober.note({ type: "replaced" });
    if (formerAuthority !== undefined) onReplaced(formerAuthority !== this.#authority);
    return this.#line;
  }

  #use(): void {
    this.#usedAtMs = this.#surroundings.clock.monotonicMs();
  }
}

/** Waits for shared work until the signal of this caller aborts. */
function whileWanted<T>(shared: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return shared;
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason as Error);
    signal.addEventListener("abort", onAbort, { once: true });
    shared.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
