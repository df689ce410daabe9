import type { Readable } from "node:stream";
import {
  ButlerError,
  type Clock,
  describeError,
  sleep,
  systemClock,
  type TimeLimit,
  Unauthenticated,
  Unavailable,
  withTimeLimit,
} from "@butler/std";
import type { MetricsRegistry } from "@butler/telemetry";
import { AnswerTooLarge, errorFromResponse, Throttled } from "./api-errors.ts";
import { type Impersonation, impersonationHeaders } from "./impersonation.ts";

export interface ApiRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path and query. */
  readonly path: string;
  readonly body?: unknown;
  readonly contentType?: string;
  readonly accept?: string;
  readonly signal?: AbortSignal | undefined;
  /** The impersonated user; the user of the credentials when absent. */
  readonly impersonate?: Impersonation | undefined;
  /** The action, for messages: `apply tenantclusters payments/blue`. */
  readonly action: string;
  /** Called with the size of the answer's body in bytes, once it is complete. */
  readonly onSize?: ((bytes: number) => void) | undefined;
}

/** An outgoing request. */
export interface OutgoingRequest {
  readonly method: ApiRequest["method"];
  /** Path and query, as the API server knows them. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: string | null;
  readonly signal: AbortSignal;
  /** True for streams. */
  readonly isStream: boolean;
}

/** An answer whose body has not been read yet. */
export interface Answer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly body: Readable;
  readonly readBytes: () => Promise<Uint8Array>;
}

/** A connection to the API server, with credentials. */
export interface Connections {
  /** Sends a request with sufficiently recent credentials. */
  send(request: OutgoingRequest): Promise<Answer>;
  /** The server has just rejected the credentials: the next request should read them again. */
  invalidate(): void;
}

/** What is reported of a request, answered or not. */
export interface AnsweredRequest {
  readonly method: string;
  readonly path: string;
  /** Undefined when no answer came. */
  readonly status: number | undefined;
  readonly durationMs: number;
}

export interface TransportOptions {
  readonly clock?: Clock;
  readonly metrics?: MetricsRegistry;
  readonly userAgent?: string;
  /** A request without a response by then fails with Timeout. */
  readonly requestTimeoutMs?: number;
  /** How often a request that the server throttled is sent again before giving up. */
  readonly throttleRetries?: number;
  /**
   * The largest answer that is read, in bytes; a larger one fails with AnswerTooLarge. For servers whose content others
   * control. Unlimited by default.
   */
  readonly maximumAnswerBytes?: number | undefined;
  /** Called for each request, for verbose output. */
  readonly onAnswer?: (answered: AnsweredRequest) => void;
}

/** An open stream of bytes from the API server. */
export interface ApiStream {
  readonly body: Readable;
  /** Ends the stream; safe to call at any time. */
  close(): void;
}

/** Sends requests: authentication, time limits, throttling, typed errors and metrics, for every verb alike. */
export class Transport {
  readonly #connections: Connections;
  readonly #clock: Clock;
  readonly #requestTimeoutMs: number;
  readonly #throttleRetries: number;
  readonly #userAgent: string;
  readonly #maximumAnswerBytes: number | undefined;
  readonly #onAnswer: (answered: AnsweredRequest) => void;
  readonly #requests;
  readonly #throttled;

  constructor(connections: Connections, options: TransportOptions = {}) {
    const { metrics } = options;
    this.#connections = connections;
    this.#clock = options.clock ?? systemClock;
    this.#requestTimeoutMs = options.requestTimeoutMs ?? 30_000;
    this.#throttleRetries = options.throttleRetries ?? 8;
    this.#userAgent = options.userAgent ?? "butler";
    this.#maximumAnswerBytes = options.maximumAnswerBytes;
    this.#onAnswer = options.onAnswer ?? (() => undefined);
    this.#requests = metrics?.counter("butler_api_requests_total", {
      help: "Requests sent to the Kubernetes API, by method and outcome.",
      labels: ["method", "code"],
    });
    this.#throttled = metrics?.counter("butler_api_throttled_total", {
      help: "Requests throttled by the Kubernetes API and retried.",
    });
  }

  /** Sends a request and returns the parsed JSON response. */
  async json<T>(call: ApiRequest): Promise<T> {
    for (let attempt = 0; ; attempt++) {
      try {
        return (await this.#send(call)) as T;
      } catch (error) {
        const retryInMs = this.#retryDelayMs(error, attempt);
        if (retryInMs === undefined) throw error;
        await sleep(this.#clock, retryInMs, call.signal);
      }
    }
  }

  /** Opens a stream. Only its opening has a time limit: how long it may stay silent is the caller's business. */
  async stream(call: ApiRequest): Promise<ApiStream> {
    const ended = new AbortController();
    const end = (): void => ended.abort();
    call.signal?.addEventListener("abort", end, { once: true });
    const close = (): void => {
      call.signal?.removeEventListener("abort", end);
      end();
    };
    try {
      const body = await withTimeLimit(this.#limitOf(call), async (signal) => {
        signal.addEventListener("abort", end, { once: true });
        const answer = await this.#dispatch(call, { signal: ended.signal, isStream: true });
        if (answer.status !== 200) throw await this.#errorOf(answer, call);
        return answer.body;
      });
      // An error after the stream was closed has no listener left and must not end the process.
      body.on("error", () => undefined);
      return { body, close };
    } catch (error) {
      close();
      throw explain(error, call);
    }
  }

  async #send(call: ApiRequest): Promise<unknown> {
    try {
      return await withTimeLimit(this.#limitOf(call), async (signal) => {
        const answer = await this.#dispatch(call, { signal, isStream: false });
        if (answer.status < 200 || answer.status > 299) throw await this.#errorOf(answer, call);
        const bytes = await this.#read(answer, call);
        call.onSize?.(bytes.length);
        const text = decodeText(bytes, call.action);
        return text === "" ? undefined : parseJson(text, call.action);
      });
    } catch (error) {
      throw explain(error, call);
    }
  }

  #limitOf({ signal, action }: ApiRequest): TimeLimit {
    return { clock: this.#clock, limitMs: this.#requestTimeoutMs, signal, action };
  }

  async #errorOf(answer: Answer, call: ApiRequest): Promise<ButlerError> {
    const { status, retryAfter } = answer;
    // The credentials were rejected: the next attempt should read them again.
    if (status === 401) this.#connections.invalidate();
    const body = new TextDecoder().decode(await this.#read(answer, call));
    return errorFromResponse({ status, retryAfter, body, action: call.action });
  }

  /** Counts while it reads: what a server says about the length of its answer is not relied on. */
  async #read({ body, readBytes }: Answer, { action }: ApiRequest): Promise<Uint8Array> {
    const maximum = this.#maximumAnswerBytes;
    if (maximum === undefined) return readBytes();
    const chunks: Uint8Array[] = [];
    let length = 0;
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      length += chunk.length;
      // Leaving the loop destroys the body, and with it the connection.
      if (length > maximum) throw new AnswerTooLarge(action, maximum);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks, length);
  }

  async #dispatch(call: ApiRequest, way: Pick<OutgoingRequest, "signal" | "isStream">): Promise<Answer> {
    const { method, path } = call;
    const startedAt = this.#clock.monotonicMs();
    const tell = (status: number | undefined): void => {
      this.#requests?.inc({ method, code: status === undefined ? "none" : String(status) });
      this.#onAnswer({ method, path, status, durationMs: this.#clock.monotonicMs() - startedAt });
    };
    try {
      const answer = await this.#connections.send({
        ...way,
        method,
        path,
        headers: {
          ...impersonationHeaders(call.impersonate),
          accept: call.accept ?? "application/json",
          "user-agent": this.#userAgent,
          ...(call.body === undefined ? {} : { "content-type": call.contentType ?? "application/json" }),
        },
        body: call.body === undefined ? null : JSON.stringify(call.body),
      });
      tell(answer.status);
      return answer;
    } catch (error) {
      tell(undefined);
      throw error;
    }
  }

  #retryDelayMs(error: unknown, attempt: number): number | undefined {
    if (error instanceof Throttled && attempt < this.#throttleRetries) {
      this.#throttled?.inc();
      return error.retryAfterMs;
    }
    // A token that has just expired is replaced by reading the credentials again: worth exactly one more attempt.
    return error instanceof Unauthenticated && attempt === 0 ? 0 : undefined;
  }
}

/** Network failures become Unavailable; typed errors and the caller's own aborts stay. */
function explain(error: unknown, { signal, action }: ApiRequest): unknown {
  if (signal?.aborted === true) return signal.reason;
  const isTyped = error instanceof ButlerError || !(error instanceof Error);
  return isTyped ? error : new Unavailable(`${action}: ${describeError(error)}`, { cause: error });
}

function decodeText(bytes: Uint8Array, action: string): string {
  try {
    // `fatal` matters: a damaged byte inside a text would otherwise become a valid replacement character.
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw new Unavailable(`${action}: the response is not UTF-8`, { cause: error });
  }
}

function parseJson(text: string, action: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Unavailable(`${action}: the response is not JSON`, { cause: error });
  }
}
