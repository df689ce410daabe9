import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request as requestPlain } from "node:http";
import { request as requestEncrypted } from "node:https";
import { createSecureContext, getCACertificates, type SecureContext, type TLSSocket } from "node:tls";
import { type Clock, InvalidInput } from "@butler/std";
import type { Reach } from "@butler/std/outgoing";
import { guardedLookup, type Network, requireAllowedLiteral } from "./guarded-lookup.ts";
import type { FetchLimits } from "./limits.ts";
import type { ChartUnavailable } from "./chart-unavailable.ts";
import { networkFault, timeoutFault, unreachableFault } from "./network-fault.ts";

/** One request to one server. */
export interface HttpRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** A CA that is trusted in addition to the system's CAs, as PEM. */
  readonly ca: string | undefined;
  /** Addresses with a narrower reach are not connected to. */
  readonly floor: Reach;
}

/** The response. The body must be read or discarded once. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** From where the server that answered can be reached. */
  readonly reach: Reach;
  readonly body: AsyncIterable<Buffer>;
  discard(): void;
}

/** Options of a transport. */
export interface TransportOptions {
  readonly limits: FetchLimits;
  readonly clock: Clock;
  readonly network: Network;
}

/** Sends single requests, each over its own connection, with timeouts. Does not follow redirects. */
export class Transport {
  readonly #options: TransportOptions;
  readonly #contexts = new Map<string, SecureContext>();

  constructor(options: TransportOptions) {
    this.#options = options;
  }

  /** Sends a request, and returns the response once its headers arrive. */
  async send(request: HttpRequest, signal: AbortSignal): Promise<HttpAnswer> {
    signal.throwIfAborted();
    const { network } = this.#options;
    const { host } = request.url;
    const isEncrypted = request.url.protocol === "https:";
    const isExposed = !isEncrypted && request.headers["authorization"] !== undefined;
    const permission = { host, floor: request.floor, isExposed };
    await requireAllowedLiteral(network, permission, request.url.hostname);
    const common = {
      agent: false as const,
      signal,
      headers: { "user-agent": "butler", ...request.headers },
      lookup: guardedLookup(network, permission),
    };
    const sent = isEncrypted
      ? requestEncrypted(request.url, { ...common, ...this.#trust(request.ca) })
      : requestPlain(request.url, common);
    const { response, address } = await this.#answerTo(sent, host, signal);
    return {
      status: response.statusCode ?? 0,
      headers: response.headers,
      reach: network.reachOf(address),
      body: this.#bodyOf(response, host, signal),
      discard: () => void response.on("error", () => undefined).destroy(),
    };
  }

  #answerTo(sent: ClientRequest, host: string, signal: AbortSignal): Promise<Connected> {
    const { clock, limits } = this.#options;
    return new Promise((resolve, reject) => {
      const giveUp = (fault: ChartUnavailable) => () => void sent.destroy(fault);
      let timer = clock.after(limits.connectMs, giveUp(unreachableFault(host)));
      let address = "";
      sent.once("socket", (socket) => {
        socket.once((socket as Partial<TLSSocket>).encrypted === true ? "secureConnect" : "connect", () => {
          // When the response arrives, the connection and its address may already be closed.
          address = socket.remoteAddress ?? "";
          timer.cancel();
          timer = clock.after(limits.headersMs, giveUp(timeoutFault(host, "no response")));
        });
      });
      const fail = (error: unknown): void => {
        timer.cancel();
        reject(signal.aborted ? (signal.reason as Error) : networkFault(error, host));
      };
      // Errors can occur repeatedly and after the response; only the first counts. Some connections close without an error.
      sent.on("error", fail).once("close", () => fail(new Error("closed")));
      sent.once("response", (response) => {
        timer.cancel();
        resolve({ response, address });
      });
      sent.end();
    });
  }

  async *#bodyOf(response: IncomingMessage, host: string, signal: AbortSignal): AsyncGenerator<Buffer> {
    const { clock, limits } = this.#options;
    const arm = () =>
      clock.after(limits.idleMs, () => void response.destroy(timeoutFault(host, "the response stalled")));
    let timer = arm();
    try {
      for await (const chunk of response as AsyncIterable<Buffer>) {
        timer.cancel();
        yield chunk;
        timer = arm();
      }
    } catch (error) {
      throw signal.aborted ? (signal.reason as Error) : networkFault(error, host);
    } finally {
      timer.cancel();
      response.on("error", () => undefined).destroy();
    }
  }

  /** Parsing all system CAs is slow, so contexts are cached per CA. */
  #trust(ca: string | undefined): { readonly secureContext?: SecureContext } {
    if (ca === undefined || ca.trim() === "") return {};
    const known = this.#contexts.get(ca);
    if (known !== undefined) return { secureContext: known };
    if (this.#contexts.size >= 100) this.#contexts.clear();
    const secureContext = contextWith(ca);
    this.#contexts.set(ca, secureContext);
    return { secureContext };
  }
}

interface Connected {
  readonly response: IncomingMessage;
  readonly address: string;
}

function contextWith(ca: string): SecureContext {
  const refusal = new InvalidInput("the repository's CA is not a PEM certificate", {
    hint: "Specify one or more blocks that start with -----BEGIN CERTIFICATE-----.",
  });
  if (!ca.includes("-----BEGIN CERTIFICATE-----")) throw refusal;
  try {
    return createSecureContext({ ca: [...getCACertificates("default"), ca] });
  } catch {
    throw refusal;
  }
}
