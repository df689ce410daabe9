import { type ClientHttp2Session, connect, constants } from "node:http2";
import { readTenantKubeconfig } from "@butler/kube";
import { sleep, systemClock } from "@butler/std";
import { Agent, type buildConnector, request as undiciRequest } from "undici";

/** One request of a client. */
export interface PlainRequest {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly body?: string;
}

/**
 * A way of sending requests. Nothing is sent twice, so that what goes wrong is seen, but for what a server that is going
 * expressly did not take up: a stream of a shared connection (RFC 9113 section 8.7), or a request that is answered with when
 * to come again. kubectl and client-go do the same.
 */
export interface Sender {
  /** Settles once the whole answer is there. */
  send(request: PlainRequest, signal: AbortSignal): Promise<Outcome>;
  close(): Promise<void>;
}

/** What became of a request. */
export interface Outcome {
  readonly status: number;
  /** How often a server turned it away before one took it up. */
  readonly turnedAway: number;
}

interface Reach {
  readonly origin: string;
  readonly tls: { readonly ca: string; readonly cert: string; readonly key: string };
}

/** Where a kubeconfig leads and who one is there. */
function reachOf(kubeconfig: string): Reach {
  const config = readTenantKubeconfig(kubeconfig);
  const [cluster, user] = [config.getCurrentCluster(), config.getCurrentUser()];
  const decoded = (text = ""): string => Buffer.from(text, "base64").toString();
  return {
    origin: cluster?.server ?? "",
    tls: { ca: decoded(cluster?.caData), cert: decoded(user?.certData), key: decoded(user?.keyData) },
  };
}

/** Every sort of client that an API server has: with new connections, with kept ones, and with many requests on one. */
export function sendersFor(kubeconfig: string): Readonly<Record<"new" | "kept" | "shared", Sender>> {
  const reach = reachOf(kubeconfig);
  return { new: newConnections(reach), kept: keptConnections(reach), shared: new SharedConnection(reach) };
}

const mostAttempts = 3;
const headers = { "content-type": "application/json", accept: "application/json" };

async function sendBy(
  dispatcher: Agent,
  { origin }: Reach,
  { request: { method, path, body }, signal }: { request: PlainRequest; signal: AbortSignal },
): Promise<Outcome> {
  return untilTakenUp(signal, async () => {
    const answer = await undiciRequest(`${origin}${path}`, { dispatcher, method, body: body ?? null, headers, signal });
    await answer.body.dump();
    return { status: answer.statusCode, retryAfter: Number(answer.headers["retry-after"]) };
  });
}

interface Answer {
  readonly status: number;
  /** Seconds after which to come again; not a number when the server does not ask for it. */
  readonly retryAfter: number;
}

/** Sends again what a server turned away with the time to come again, as one does that is about to end. */
async function untilTakenUp(signal: AbortSignal, send: () => Promise<Answer>): Promise<Outcome> {
  for (let turnedAway = 0; ; turnedAway++) {
    const { status, retryAfter } = await send();
    const isTurnedAway = (status === 429 || status === 503) && retryAfter > 0;
    if (!isTurnedAway || turnedAway + 1 === mostAttempts) return { status, turnedAway };
    await sleep(systemClock, retryAfter * 1_000, signal);
  }
}

function newConnections(reach: Reach): Sender {
  return {
    send: async (request, signal) => {
      const agent = agentFor(reach);
      try {
        return await sendBy(agent, reach, { request, signal });
      } finally {
        await agent.close();
      }
    },
    close: async () => undefined,
  };
}

/** Connections of HTTP/1.1, used in turn, that serve one request after the other. */
function keptConnections(reach: Reach): Sender {
  const agents = Array.from({ length: 4 }, () => agentFor(reach));
  let turn = 0;
  return {
    send: (request, signal) => {
      const agent = agents[turn++ % agents.length] ?? agentFor(reach);
      return sendBy(agent, reach, { request, signal });
    },
    close: async () => void (await Promise.all(agents.map((agent) => agent.close()))),
  };
}

function agentFor({ tls }: Reach): Agent {
  const secured: buildConnector.BuildOptions = tls;
  return new Agent({ connections: 1, pipelining: 1, allowH2: false, keepAliveTimeout: 60_000, connect: secured });
}

/** The server says that it has not looked at a request. */
class Refused extends Error {}

/**
 * One connection of HTTP/2 for everything, as kubectl and client-go have it. When the server says that it is going, what is
 * under way ends there and what follows goes to a new one.
 */
class SharedConnection implements Sender {
  readonly #reach: Reach;
  #session: ClientHttp2Session | undefined;

  constructor(reach: Reach) {
    this.#reach = reach;
  }

  send(request: PlainRequest, signal: AbortSignal): Promise<Outcome> {
    return untilTakenUp(signal, async () => {
      try {
        return await this.#sendOnce(request, signal);
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        return this.#sendOnce(request, signal);
      }
    });
  }

  #sendOnce({ method, path, body }: PlainRequest, signal: AbortSignal): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const stream = this.#open().request({ ...headers, ":method": method, ":path": path }, { signal });
      let [status, retryAfter] = [0, Number.NaN];
      stream.on("response", (answer) => {
        status = Number(answer[constants.HTTP2_HEADER_STATUS]);
        retryAfter = Number(answer[constants.HTTP2_HEADER_RETRY_AFTER]);
      });
      stream.on("error", (error) => {
        const isRefused = stream.rstCode === constants.NGHTTP2_REFUSED_STREAM;
        reject(isRefused ? new Refused("the server did not take the request up", { cause: error }) : error);
      });
      stream.on("end", () => resolve({ status, retryAfter }));
      stream.on("close", () => reject(new Error(`the stream was closed with code ${stream.rstCode}`)));
      stream.resume();
      stream.end(body);
    });
  }

  async close(): Promise<void> {
    this.#session?.close();
  }

  #open(): ClientHttp2Session {
    const { origin, tls } = this.#reach;
    if (this.#session === undefined || this.#session.closed || this.#session.destroyed) {
      const session = connect(origin, tls);
      const leave = (): void => {
        if (this.#session === session) this.#session = undefined;
      };
      session.on("goaway", () => {
        leave();
        session.close();
      });
      session.on("close", leave);
      // Those whose requests were under way are told by their streams.
      session.on("error", leave);
      this.#session = session;
    }
    return this.#session;
  }
}
