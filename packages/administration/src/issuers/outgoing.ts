import { lookup as resolveName } from "node:dns";
import { request as httpRequest } from "node:http";
import { type RequestOptions, request as httpsRequest } from "node:https";
import { BlockList, isIP, type LookupFunction } from "node:net";
import { InvalidInput, Timeout, Unavailable } from "@butler/std";

/** Which addresses the server may connect to because of user-supplied settings. */
export interface OutgoingRules {
  /** Whether loopback addresses are allowed, also without TLS: for development and tests. */
  readonly allowLoopback?: boolean | undefined;
}

/** Connection options of one provider. */
export interface OutgoingOptions extends OutgoingRules {
  /** Additional trusted CA certificates, PEM-encoded. */
  readonly authorities?: string | undefined;
  /** Whether certificate verification is disabled in the provider's settings. */
  readonly isInsecure?: boolean | undefined;
  readonly timeoutMs?: number | undefined;
}

const largestAnswer = 1024 * 1024;
const defaultTimeoutMs = 10_000;

/** Networks of instance metadata services and the like, which users must not reach through the server. */
const neverAsked = blockListOf([
  ["169.254.0.0", 16, "ipv4"],
  ["0.0.0.0", 8, "ipv4"],
  ["224.0.0.0", 4, "ipv4"],
  ["fe80::", 10, "ipv6"],
  ["ff00::", 8, "ipv6"],
  ["fd00:ec2::254", 128, "ipv6"],
  // IPv6 forms of IPv4 addresses: IPv4-compatible, NAT64 and 6to4. No legitimate issuer uses one of them.
  ["::", 96, "ipv6"],
  ["64:ff9b::", 96, "ipv6"],
  ["64:ff9b:1::", 48, "ipv6"],
  ["2002::", 16, "ipv6"],
]);
const loopback = blockListOf([
  ["127.0.0.0", 8, "ipv4"],
  ["::1", 128, "ipv6"],
]);

function blockListOf(networks: readonly (readonly [string, number, "ipv4" | "ipv6"])[]): BlockList {
  const list = new BlockList();
  for (const [network, prefix, family] of networks) list.addSubnet(network, prefix, family);
  return list;
}

/** Whether the server may connect to an address. IPv4-mapped IPv6 addresses are checked as IPv4. */
export function isAddressAllowed(address: string, { allowLoopback = false }: OutgoingRules = {}): boolean {
  const family = isIP(address) === 6 ? "ipv6" : "ipv4";
  if (loopback.check(address, family)) return allowLoopback;
  return isIP(address) !== 0 && !neverAsked.check(address, family);
}

/** Rejects a URL that the server must not connect to, judged by its text. */
export function requireAllowedUrl(url: URL, { allowLoopback = false }: OutgoingRules = {}): void {
  if (url.protocol !== "https:" && !(allowLoopback && url.protocol === "http:")) {
    throw new InvalidInput("the issuer URL must use https", { hint: "Use the https URL of the issuer." });
  }
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const isRefused = isIP(host) !== 0 && !isAddressAllowed(host, { allowLoopback });
  if (isRefused || url.username !== "" || url.password !== "") {
    throw new InvalidInput("the server does not connect to this address", { hint: "Use the URL where users sign in." });
  }
}

/**
 * A `fetch` for URLs that come from settings: the resolved address is checked when the connection is made, which
 * defeats DNS rebinding. Redirects are not followed, and requests time out.
 */
export function outgoingFetch(options: OutgoingOptions = {}) {
  return async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(input instanceof Request ? input.url : input);
    requireAllowedUrl(url, options);
    const body = init.body === undefined || init.body === null ? undefined : await new Response(init.body).text();
    return send(url, { init, body, options });
  };
}

interface Sending {
  readonly init: RequestInit;
  readonly body: string | undefined;
  readonly options: OutgoingOptions;
}

function send(url: URL, { init, body, options }: Sending): Promise<Response> {
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
    lookup: checkedLookup(options),
    signal: init.signal ? AbortSignal.any([init.signal, limit]) : limit,
    agent: false,
    rejectUnauthorized: !isInsecure,
    ...(authorities === undefined ? {} : { ca: authorities }),
  };
  return new Promise((resolve, reject) => {
    const fail = (error: Error): void => reject(limit.aborted ? new Timeout(`${url.host} timed out`) : error);
    const start = url.protocol === "https:" ? httpsRequest : httpRequest;
    const request = start(url, settings, (incoming) => {
      const parts: Buffer[] = [];
      let size = 0;
      incoming.on("data", (part: Buffer) => {
        size += part.length;
        parts.push(part);
        if (size > largestAnswer) incoming.destroy(new Unavailable(`the response of ${url.host} is too large`));
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
    request.on("error", fail);
    request.end(body);
  });
}

function checkedLookup(rules: OutgoingRules): LookupFunction {
  return (hostname, options, callback) => {
    resolveName(hostname, { ...options, all: true }, (error, addresses) => {
      const allowed = (addresses ?? []).filter(({ address }) => isAddressAllowed(address, rules));
      const [first] = allowed;
      if (error !== null || first === undefined) {
        return callback(error ?? new Unavailable(`${hostname} resolves to an address that is not allowed`), "", 0);
      }
      if (options.all === true) return callback(null, allowed);
      return callback(null, first.address, first.family);
    });
  };
}
