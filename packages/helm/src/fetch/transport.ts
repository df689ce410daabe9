import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request as requestPlain } from "node:http";
import { request as requestEncrypted } from "node:https";
import { createSecureContext, getCACertificates, type SecureContext, type TLSSocket } from "node:tls";
import { type Clock, InvalidInput } from "@butler/std";
import type { Reach } from "./address-reach.ts";
import { faultOfLiteral, guardedLookup, type Network } from "./guarded-lookup.ts";
import type { FetchLimits } from "./limits.ts";
import { networkFault, timeoutFault } from "./network-fault.ts";

/** One question to one server. */
export interface HttpRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** The authority that is trusted besides those of the machine, as PEM. */
  readonly ca: string | undefined;
  /** No address with a narrower reach is spoken to. */
  readonly floor: Reach;
}

/** What came back. The body is read or discarded, once. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** From where the server that answered can be reached. */
  readonly reach: Reach;
  readonly body: AsyncIterable<Buffer>;
  discard(): void;
}

/** What a transport needs of its surroundings. */
export interface TransportOptions {
  readonly limits: FetchLimits;
  readonly clock: Clock;
  readonly network: Network;
}

/** Sends single requests, each over its own connection, with a limit on every wait. Follows nothing. */
export class Transport {
  readonly #options: TransportOptions;
  readonly #contexts = new Map<string, SecureContext>();

  constructor(options: TransportOptions) {
    this.#options = options;
  }

  /** Asks and gives the answer as soon as its headers are there. */
  async send(request: HttpRequest, signal: AbortSignal): Promise<HttpAnswer> {
    signal.throwIfAborted();
    const { network } = this.#options;
    const { host } = request.url;
    const isEncrypted = request.url.protocol === "https:";
    const isExposed = !isEncrypted && request.headers["authorization"] !== undefined;
    const permission = { host, floor: request.floor, isExposed };
    const fault = faultOfLiteral(network, permission, request.url.hostname);
    if (fault !== undefined) throw fault;
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
      const giveUp = (what: string) => () => void sent.destroy(timeoutFault(host, what));
      let timer = clock.after(limits.connectMs, giveUp("the connection did not come about"));
      let address = "";
      sent.once("socket", (socket) => {
        socket.once((socket as Partial<TLSSocket>).encrypted === true ? "secureConnect" : "connect", () => {
          // By the time of the answer the connection may be gone, and its address with it.
          address = socket.remoteAddress ?? "";
          timer.cancel();
          timer = clock.after(limits.headersMs, giveUp("no answer came"));
        });
      });
      const fail = (error: unknown): void => {
        timer.cancel();
        reject(signal.aborted ? (signal.reason as Error) : networkFault(error, host));
      };
      // Errors can come more than once, and after the answer; only the first is news. Some ends come without one.
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
      clock.after(limits.idleMs, () => void response.destroy(timeoutFault(host, "its answer stopped in the middle")));
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

  /** Reading all authorities takes long enough to do it once for each of ours. */
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
  const refusal = new InvalidInput("the repository's certificate authority is not a certificate in PEM form", {
    hint: "Give one or more blocks that begin with -----BEGIN CERTIFICATE-----.",
  });
  if (!ca.includes("-----BEGIN CERTIFICATE-----")) throw refusal;
  try {
    return createSecureContext({ ca: [...getCACertificates("default"), ca] });
  } catch {
    throw refusal;
  }
}
