import { lookup as resolveName } from "node:dns";
import { request as httpRequest } from "node:http";
import { type RequestOptions, request as httpsRequest } from "node:https";
import { BlockList, isIP, type LookupFunction } from "node:net";
import { InvalidInput, Timeout, Unavailable } from "@butler/std";

/** Which addresses the server may be sent to by settings that somebody has made. */
export interface OutgoingRules {
  /** Whether this very machine may be asked, and without TLS: for development and tests. */
  readonly allowLoopback?: boolean | undefined;
}

/** How one provider is spoken to. */
export interface OutgoingOptions extends OutgoingRules {
  /** Further authorities whose certificates count, in PEM form. */
  readonly authorities?: string | undefined;
  /** Whether certificates go unchecked, as the provider's settings say. */
  readonly isInsecure?: boolean | undefined;
  readonly timeoutMs?: number | undefined;
}

const largestAnswer = 1024 * 1024;
const defaultTimeoutMs = 10_000;

/** Where metadata of machines and other things live that nobody outside should be able to ask through us. */
const neverAsked = blockListOf([
  ["169.254.0.0", 16, "ipv4"],
  ["0.0.0.0", 8, "ipv4"],
  ["224.0.0.0", 4, "ipv4"],
  ["fe80::", 10, "ipv6"],
  ["ff00::", 8, "ipv6"],
  ["fd00:ec2::254", 128, "ipv6"],
  // Addresses of IPv4 in other clothes: IPv4-compatible, NAT64 and 6to4. Nobody's issuer is named by one of them.
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

/** Whether an address may be connected to. IPv4 in the clothes of IPv6 is looked at as what it is. */
export function isAddressAllowed(address: string, { allowLoopback = false }: OutgoingRules = {}): boolean {
  const family = isIP(address) === 6 ? "ipv6" : "ipv4";
  if (loopback.check(address, family)) return allowLoopback;
  return isIP(address) !== 0 && !neverAsked.check(address, family);
}

/** Refuses an address that the server is not to be sent to, as far as its text tells. */
export function requireAllowedUrl(url: URL, { allowLoopback = false }: OutgoingRules = {}): void {
  if (url.protocol !== "https:" && !(allowLoopback && url.protocol === "http:")) {
    throw new InvalidInput("only https addresses are asked", { hint: "Give the https address of the issuer." });
  }
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const isRefused = isIP(host) !== 0 && !isAddressAllowed(host, { allowLoopback });
  if (isRefused || url.username !== "" || url.password !== "") {
    throw new InvalidInput("this address is not asked", { hint: "Give the address that people sign in at." });
  }
}

/**
 * A `fetch` for addresses that come from settings: what a name leads to is looked at when the connection is made, so
 * that a name that leads elsewhere the second time gains nothing; nothing is followed, and nothing goes on for ever.
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
    // What `fetch` would say by itself about the sort of body that it was given.
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
    const fail = (error: Error): void =>
      reject(limit.aborted ? new Timeout(`${url.host} does not answer in time`) : error);
    const start = url.protocol === "https:" ? httpsRequest : httpRequest;
    const request = start(url, settings, (incoming) => {
      const parts: Buffer[] = [];
      let size = 0;
      incoming.on("data", (part: Buffer) => {
        size += part.length;
        parts.push(part);
        if (size > largestAnswer) incoming.destroy(new Unavailable(`${url.host} answers with too much`));
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
        return callback(error ?? new Unavailable(`${hostname} leads to an address that is not asked`), "", 0);
      }
      if (options.all === true) return callback(null, allowed);
      return callback(null, first.address, first.family);
    });
  };
}
