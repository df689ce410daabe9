import type { Readable } from "node:stream";
import { ButlerError, type Clock, describeError, sleep, systemClock, Unauthenticated, Unavailable } from "@butler/std";
import { MetricsRegistry } from "@butler/telemetry";
import { type Dispatcher, request } from "undici";
import { errorFromResponse, Throttled } from "./api-errors.ts";
import type { Connection, ConnectionSource } from "./connection.ts";
import { type TimeLimit, withTimeLimit } from "./time-limit.ts";

export interface ApiRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path and query. */
  readonly path: string;
  readonly body?: unknown;
  readonly contentType?: string;
  readonly accept?: string;
  readonly signal?: AbortSignal | undefined;
  /** What is being done, for messages: `apply tenantclusters payments/blue`. */
  readonly action: string;
}

export interface TransportOptions {
  readonly clock?: Clock;
  readonly metrics?: MetricsRegistry;
  readonly userAgent?: string;
  /** A request that has not been answered by then fails with Timeout. */
  readonly requestTimeoutMs?: number;
  /** How often a request that the server throttled is sent again before giving up. */
  readonly throttleRetries?: number;
}

/** An open stream of bytes from the API server. */
export interface ApiStream {
  readonly body: Readable;
  /** Ends the stream; safe to call at any time. */
  close(): void;
}

/** Sends requests: authentication, time limits, throttling, typed errors and metrics, for every verb alike. */
export class Transport {
  readonly #connections: ConnectionSource;
  readonly #clock: Clock;
  readonly #requestTimeoutMs: number;
  readonly #throttleRetries: number;
  readonly #userAgent: string;
  readonly #requests;
  readonly #throttled;

  constructor(connections: ConnectionSource, options: TransportOptions = {}) {
    const metrics = options.metrics ?? new MetricsRegistry();
    this.#connections = connections;
    this.#clock = options.clock ?? systemClock;
    this.#requestTimeoutMs = options.requestTimeoutMs ?? 30_000;
    this.#throttleRetries = options.throttleRetries ?? 8;
    this.#userAgent = options.userAgent ?? "butler";
    this.#requests = metrics.counter("butler_api_requests_total", {
      help: "Requests sent to the Kubernetes API, by method and outcome.",
      labels: ["method", "code"],
    });
    this.#throttled = metrics.counter("butler_api_throttled_total", {
      help: "Requests that the Kubernetes API asked to be sent again later.",
    });
  }

  /** Sends a request and gives the parsed JSON answer. */
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
        const connection = await this.#connections.get();
        const response = await this.#dispatch(connection.streams, connection, { call, signal: ended.signal });
        if (response.statusCode !== 200) throw await this.#errorOf(response, call);
        return response.body;
      });
      // An error after the stream was given up has nobody left to hear it and must not end the process.
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
        const connection = await this.#connections.get();
        const response = await this.#dispatch(connection.requests, connection, { call, signal });
        if (response.statusCode < 200 || response.statusCode > 299) throw await this.#errorOf(response, call);
        const text = decodeText(await response.body.arrayBuffer(), call.action);
        return text === "" ? undefined : parseJson(text, call.action);
      });
    } catch (error) {
      throw explain(error, call);
    }
  }

  #limitOf({ signal, action }: ApiRequest): TimeLimit {
    return { clock: this.#clock, limitMs: this.#requestTimeoutMs, signal, action };
  }

  async #errorOf(response: Dispatcher.ResponseData, call: ApiRequest): Promise<ButlerError> {
    const { statusCode: status, headers, body } = response;
    // Who is asking was not believed: the next attempt should read the credentials again.
    if (status === 401) this.#connections.invalidate();
    const retryAfter = one(headers["retry-after"]);
    return errorFromResponse({ status, retryAfter, body: await body.text(), action: call.action });
  }

  async #dispatch(
    dispatcher: Dispatcher,
    { origin, basePath, headers }: Connection,
    { call, signal }: { call: ApiRequest; signal: AbortSignal },
  ): Promise<Dispatcher.ResponseData> {
    try {
      const response = await request(`${origin}${basePath}${call.path}`, {
        method: call.method,
        dispatcher,
        signal,
        headers: {
          ...headers,
          accept: call.accept ?? "application/json",
          "user-agent": this.#userAgent,
          ...(call.body === undefined ? {} : { "content-type": call.contentType ?? "application/json" }),
        },
        body: call.body === undefined ? null : JSON.stringify(call.body),
      });
      this.#requests.inc({ method: call.method, code: String(response.statusCode) });
      return response;
    } catch (error) {
      this.#requests.inc({ method: call.method, code: "none" });
      throw error;
    }
  }

  #retryDelayMs(error: unknown, attempt: number): number | undefined {
    if (error instanceof Throttled && attempt < this.#throttleRetries) {
      this.#throttled.inc();
      return error.retryAfterMs;
    }
    // A token that has just expired is replaced by reading the credentials again: worth exactly one more attempt.
    return error instanceof Unauthenticated && attempt === 0 ? 0 : undefined;
  }
}

/** Failures of the network become Unavailable; what is typed already, or the caller's own doing, stays. */
function explain(error: unknown, { signal, action }: ApiRequest): unknown {
  if (signal?.aborted === true) return signal.reason;
  const isTyped = error instanceof ButlerError || !(error instanceof Error);
  return isTyped ? error : new Unavailable(`${action}: ${describeError(error)}`, { cause: error });
}

function one(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}

function decodeText(bytes: ArrayBuffer, action: string): string {
  try {
    // `fatal` matters: a damaged byte inside a text would otherwise become a legal replacement character.
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw new Unavailable(`${action}: the answer is not UTF-8`, { cause: error });
  }
}

function parseJson(text: string, action: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Unavailable(`${action}: the answer is not JSON`, { cause: error });
  }
}
