import { lookup } from "node:dns/promises";
import { request as httpRequest } from "node:http";
import { type RequestOptions, request as httpsRequest } from "node:https";
import { isIP } from "node:net";
import { ButlerError, InvalidInput, Timeout, Unavailable } from "../errors.ts";
import { allowedAddresses, type GuardOptions, guardedLookup, type Resolve } from "./guarded-lookup.ts";
import { isNotConnected, isOutgoingAllowed, type OutgoingRules, unreachable } from "./outgoing-rules.ts";

/** Options of connections to one server. */
export interface OutgoingOptions extends OutgoingRules {
  /** Whether loopback addresses are allowed, also without TLS: for development and tests. */
  readonly allowLoopback?: boolean | undefined;
  /** Whether requests without TLS are allowed to any address. */
  readonly allowPlain?: boolean | undefined;
  /** Additional trusted CA certificates, PEM-encoded. */
  readonly authorities?: string | undefined;
  /** Whether certificate verification is disabled in the provider's settings. */
  readonly isInsecure?: boolean | undefined;
  readonly timeoutMs?: number | undefined;
  /** Name resolution; the system's by default. */
  readonly resolve?: Resolve | undefined;
}

const largestAnswer = 1024 * 1024;
const defaultTimeoutMs = 10_000;
const loopback = ["127.0.0.0/8", "::1/128"];

function rulesOf({ allowed = [], allowLoopback = false, clusterNetworks }: OutgoingOptions): OutgoingRules {
  return { allowed: allowLoopback ? [...allowed, ...loopback] : allowed, clusterNetworks };
}

function isProtocolAllowed({ protocol }: URL, { allowLoopback = false, allowPlain = false }: OutgoingOptions): boolean {
  return protocol === "https:" || (protocol === "http:" && (allowLoopback || allowPlain));
}

/** Rejects a URL that must not be connected to, judged by its text. What it resolves to is judged on connect. */
export function requireAllowedUrl(url: URL, options: OutgoingOptions = {}): void {
  if (!isProtocolAllowed(url, options)) {
    throw new InvalidInput("the URL must use https", { hint: "Use the server's https URL." });
  }
  if (url.username !== "" || url.password !== "") {
    throw new InvalidInput("the URL must not contain credentials", { hint: "Remove the username and password." });
  }
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const facts = { allowed: rulesOf(options).allowed ?? [], clusterNetworks: [] };
  if (isIP(host) !== 0 && !isOutgoingAllowed({ host, address: host }, facts)) throw unreachable(url.host);
}

/**
 * A `fetch` for URLs that come from settings: the resolved address is checked when the connection is made, which
 * defeats DNS rebinding. Redirects are not followed, and requests time out.
 */
export function outgoingFetch(options: OutgoingOptions = {}) {
  return async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(input instanceof Request ? input.url : input);
    requireAllowedUrl(url, options);
    const guard: GuardOptions = {
      rules: rulesOf(options),
      resolve: options.resolve ?? ((hostname) => lookup(hostname, { all: true })),
      refuse: () => unreachable(url.host),
    };
    // An address is not resolved, so that the lookup would not judge it.
    if (isIP(url.hostname.replace(/^\[|\]$/g, "")) !== 0) await allowedAddresses(guard, url.hostname);
    const body = init.body === undefined || init.body === null ? undefined : await new Response(init.body).text();
    return send(url, { init, body, options, guard });
  };
}

interface Sending {
  readonly init: RequestInit;
  readonly body: string | undefined;
  readonly options: OutgoingOptions;
  readonly guard: GuardOptions;
}

function send(url: URL, { init, body, options, guard }: Sending): Promise<Response> {
  const { timeoutMs = defaultTimeoutMs, authorities, isInsecure = false } = options;
  const headers = Object.fromEntries(new Headers(init.headers));
  if (body !== undefined) {
    // The content type that `fetch` would set for such a body.
    headers["content-type"] ??=
      init.body instanceof URLSearchParams ? "application/x-www-form-urlencoded" : "text/plain";
    headers["content-length"] = String(Buffer.byteLength(body));
  }
  const limit = AbortSignal.timeout(timeoutMs);
  const settings: RequestOptions = {
    method: init.method ?? "GET",
    headers,
    lookup: guardedLookup(guard),
    signal: init.signal ? AbortSignal.any([init.signal, limit]) : limit,
    agent: false,
    rejectUnauthorized: !isInsecure,
    ...(authorities === undefined ? {} : { ca: authorities }),
  };
  return new Promise((resolve, reject) => {
    let isConnected = false;
    const fail = (error: Error): void => {
      if (limit.aborted) reject(isConnected ? new Timeout(`${url.host} timed out`) : unreachable(url.host));
      else reject(faultOf(error, url.host));
    };
    const start = url.protocol === "https:" ? httpsRequest : httpRequest;
    const request = start(url, settings, (incoming) => {
      const parts: Buffer[] = [];
      let size = 0;
      incoming.on("data", (part: Buffer) => {
        size += part.length;
        parts.push(part);
        if (size > largestAnswer) incoming.destroy(new Unavailable(`the response from ${url.host} is too large`));
      });
      incoming.on("error", fail);
      incoming.on("end", () => {
        const status = incoming.statusCode ?? 502;
        const text = status === 204 || status === 304 ? null : Buffer.concat(parts);
        const answered = new Headers();
        for (const [name, values = []] of Object.entries(incoming.headersDistinct)) {
          for (const value of values) answered.append(name, value);
        }
        resolve(new Response(text, { status, headers: answered }));
      });
    });
    request.on("socket", (socket) => socket.once("connect", () => (isConnected = true)));
    request.on("error", fail);
    request.end(body);
  });
}

function faultOf(error: Error, host: string): Error {
  if (error instanceof ButlerError) return error;
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const code = first instanceof Error && "code" in first ? String(first.code) : "";
  return isNotConnected(code) ? unreachable(host) : error;
}
