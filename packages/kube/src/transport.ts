import type { Readable } from "node:stream";
import { type Clock, describeError, sleep, systemClock, Timeout, Unauthenticated, Unavailable } from "@butler/std";
import { MetricsRegistry } from "@butler/telemetry";
import { request } from "undici";
import { errorFromResponse, Throttled } from "./api-errors.ts";
import type { Connection, ConnectionSource } from "./connection.ts";

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
    const connection = await this.#connections.get();
    const ended = new AbortController();
    const opening = this.#deadline(call, ended);
    try {
      const { statusCode, headers, body } = await this.#dispatch(connection, call, {
        signal: ended.signal,
        dispatcher: connection.streams,
      });
      if (statusCode !== 200) {
        const text = await body.text();
        this.#noteUnauthenticated(statusCode);
        throw errorFromResponse({ status: statusCode, retryAfter: one(headers["retry-after"]), body: text, action: call.action });
      }
      // An error after the stream was given up has nobody left to hear it and must not end the process.
      body.on("error", () => undefined);
      const close = (): void => {
        opening.detach();
        ended.abort();
      };
      return { body, close };
    } catch (error) {
      opening.detach();
      throw opening.explain(error);
    } finally {
      opening.stopTimer();
    }
  }

  async #send(call: ApiRequest): Promise<unknown> {
    const connection = await this.#connections.get();
    const ended = new AbortController();
    const deadline = this.#deadline(call, ended);
    try {
      const { statusCode, headers, body } = await this.#dispatch(connection, call, {
        signal: ended.signal,
        dispatcher: connection.requests,
      });
      const text = decodeText(await body.arrayBuffer(), call.action);
      if (statusCode >= 200 && statusCode < 300) return text === "" ? undefined : parseJson(text, call.action);
      this.#noteUnauthenticated(statusCode);
      throw errorFromResponse({ status: statusCode, retryAfter: one(headers["retry-after"]), body: text, action: call.action });
    } catch (error) {
      throw deadline.explain(error);
    } finally {
      deadline.stopTimer();
      deadline.detach();
    }
  }

  async #dispatch(
    connection: Connection,
    call: ApiRequest,
    { signal, dispatcher }: { signal: AbortSignal; dispatcher: Connection["requests"] },
  ) {
    try {
      const response = await request(`${connection.origin}${connection.basePath}${call.path}`, {
        method: call.method,
        dispatcher,
        signal,
        headers: {
          ...connection.headers,
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

  /** Ties the caller's signal and the time limit to one abort, and says afterwards which of them it was. */
  #deadline(call: ApiRequest, ended: AbortController) {
    let hasExpired = false;
    const timer = this.#clock.after(this.#requestTimeoutMs, () => {
      hasExpired = true;
      ended.abort();
    });
    const onAbort = (): void => ended.abort();
    if (call.signal?.aborted) ended.abort();
    call.signal?.addEventListener("abort", onAbort, { once: true });
    return {
      stopTimer: () => timer.cancel(),
      detach: () => call.signal?.removeEventListener("abort", onAbort),
      explain: (error: unknown): unknown => {
        if (hasExpired) return new Timeout(`${call.action}: no answer in ${this.#requestTimeoutMs} ms`);
        if (call.signal?.aborted) return call.signal.reason as unknown;
        return isTransportFailure(error) ? new Unavailable(`${call.action}: ${describeError(error)}`, { cause: error }) : error;
      },
    };
  }

  #noteUnauthenticated(status: number): void {
    if (status === 401) this.#connections.invalidate();
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

function isTransportFailure(error: unknown): boolean {
  return error instanceof Error && !("httpStatus" in error);
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
