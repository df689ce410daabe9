import { InvalidInput, Timeout, Unavailable } from "@butler/std";
import http, { type IncomingMessage } from "node:http";
import https from "node:https";

/** Options of a download. */
export interface HttpDownloadOptions {
  /** Timeout for name resolution, TCP and TLS together. */
  readonly connectTimeoutMs: number;
  /** Maximum time without data once connected. */
  readonly idleTimeoutMs: number;
  /** Environment variables with proxy settings. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal | undefined;
}

/** The host did not respond; requesting another file from it in the same run is pointless. */
export class HostUnreachable extends Unavailable {
  override readonly code: string = "HOST_UNREACHABLE";
  readonly host: string;

  constructor(host: string, cause: unknown) {
    super(`cannot reach ${host}`, { cause });
    this.host = host;
  }
}

const connectionErrors = new Set([
  "EAI_AGAIN",
  "ECONNREFUSED",
  "EHOSTDOWN",
  "EHOSTUNREACH",
  "ENETDOWN",
  "ENETUNREACH",
  "ENOTFOUND",
  "ETIMEDOUT",
]);
const redirects = new Set([301, 302, 303, 307, 308]);

/** Opens a URL, following redirects; the response has status 200 and an unread body. */
export async function openUrl(url: string, options: HttpDownloadOptions): Promise<IncomingMessage> {
  let current = parseUrl(url);
  for (let hop = 0; hop <= 5; hop += 1) {
    const response = await request(current, options);
    const status = response.statusCode ?? 0;
    if (status === 200) return response;
    response.destroy();
    const { location } = response.headers;
    if (!redirects.has(status) || location === undefined)
      throw new Unavailable(`${current.href} returned HTTP ${status}`);
    const next = new URL(location, current);
    if (current.protocol === "https:" && next.protocol !== "https:") {
      throw new Unavailable(`${current.href} redirects to plain HTTP: ${next.href}`);
    }
    current = next;
  }
  throw new Unavailable(`too many redirects from ${url}`);
}

/** Reads a small text up to a size limit. */
export async function readText(url: string, limitBytes: number, options: HttpDownloadOptions): Promise<string> {
  const response = await openUrl(url, options);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limitBytes) throw new Unavailable(`${url} is larger than ${limitBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function parseUrl(url: string): URL {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed !== undefined && /^https?:$/.test(parsed.protocol)) return parsed;
  throw new InvalidInput(`"${url}" is not an http or https URL`);
}

function request(url: URL, options: HttpDownloadOptions): Promise<IncomingMessage> {
  const isSecure = url.protocol === "https:";
  const { Agent, get } = isSecure ? https : http;
  const agent = new Agent({ keepAlive: false, proxyEnv: { ...options.environment } });
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const call = get(url, { agent, headers: { "user-agent": "butler-engine" }, ...signalOf(options) });
  const giveUp = setTimeout(() => {
    call.destroy(
      new HostUnreachable(url.host, new Timeout(`connection timed out after ${options.connectTimeoutMs} ms`)),
    );
  }, options.connectTimeoutMs);
  const connected = (): void => clearTimeout(giveUp);
  call.once("socket", (socket) => {
    if (socket.connecting) socket.once(isSecure ? "secureConnect" : "connect", connected);
    else connected();
  });
  call.once("response", (response) => {
    connected();
    call.setTimeout(options.idleTimeoutMs, () => response.destroy(new Timeout(`${url.host} stopped sending data`)));
    resolve(response);
  });
  call.setTimeout(options.idleTimeoutMs, () => call.destroy(new Timeout(`${url.host} stopped sending data`)));
  // The listener is kept after the response has started: a later socket error must not be uncaught.
  call.on("error", (error: NodeJS.ErrnoException) => {
    connected();
    reject(isConnectionError(error) ? new HostUnreachable(url.host, error) : error);
  });
  return promise;
}

function signalOf({ signal }: HttpDownloadOptions): { signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}

/** Node reports several failed addresses of one name as an AggregateError that carries the code of the first. */
function isConnectionError(error: NodeJS.ErrnoException): boolean {
  return !(error instanceof HostUnreachable) && error.code !== undefined && connectionErrors.has(error.code);
}
