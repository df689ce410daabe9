import { Agent as HttpAgent, type IncomingMessage, request as httpRequest } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import type { Answer, Connections, OutgoingRequest } from "../client/transport.ts";
import type { DirectTarget } from "./direct-target.ts";

/**
 * Connections for a short-lived command: with what Node has built in, because a library that can do more would take
 * longer to load than the request takes. Credentials do not change while a command runs.
 */
export class DirectConnections implements Connections {
  readonly #target: DirectTarget;
  readonly #agent: HttpAgent;
  readonly #isEncrypted: boolean;

  constructor(target: DirectTarget) {
    this.#target = target;
    this.#isEncrypted = target.server.startsWith("https:");
    this.#agent = this.#isEncrypted
      ? new HttpsAgent({ keepAlive: true, ...target.tls })
      : new HttpAgent({ keepAlive: true });
  }

  send({ method, path, headers, body, signal }: OutgoingRequest): Promise<Answer> {
    const { server, headers: credentials } = this.#target;
    const send = this.#isEncrypted ? httpsRequest : httpRequest;
    return new Promise((resolve, reject) => {
      const all = { ...credentials, ...headers, ...lengthOf(body) };
      const options = { method, headers: all, agent: this.#agent, signal };
      const request = send(`${server}${path}`, options, (response) => resolve(answerOf(response)));
      request.on("error", reject);
      request.end(body ?? undefined);
    });
  }

  invalidate(): void {
    // There are no other credentials to read.
  }

  /** Ends every connection. */
  close(): Promise<void> {
    this.#agent.destroy();
    return Promise.resolve();
  }
}

/** Node sends no Content-Length for the body of a DELETE; a server would parse the body as the next request. */
function lengthOf(body: string | null): Readonly<Record<string, string>> {
  return body === null ? {} : { "content-length": String(Buffer.byteLength(body)) };
}

function answerOf(response: IncomingMessage): Answer {
  return {
    status: response.statusCode ?? 0,
    retryAfter: response.headers["retry-after"],
    body: response,
    readBytes: async () => {
      const parts: Uint8Array[] = [];
      for await (const part of response) parts.push(part as Uint8Array);
      return Buffer.concat(parts);
    },
  };
}
