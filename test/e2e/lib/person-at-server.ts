import { connectLive, type LiveClient } from "@butler/contract";
import { Agent, fetch } from "undici";
import { WebSocket } from "ws";

/** A new connection for each request: on a reused one it is unknown whether a failed request was sent. */
const newConnections = new Agent({ pipelining: 0 });

/** A response of the server: status and body. */
export interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  /** The request ID, also found in the audit records. */
  readonly requestId: string;
}

interface PersonOptions {
  /** Origin of the pages; the server's own address by default. */
  readonly origin?: string;
  readonly cookies?: Map<string, string>;
}

/** A user with a browser: keeps cookies, sends CSRF tokens, and opens the channels of a page. */
export class PersonAtServer {
  readonly #server: string;
  readonly #origin: string;
  readonly #cookies: Map<string, string>;
  readonly #open: (() => void)[] = [];

  constructor(server: string, { origin = server, cookies = new Map<string, string>() }: PersonOptions = {}) {
    this.#server = server;
    this.#origin = origin;
    this.#cookies = cookies;
  }

  /** The same browser, sent to another replica. */
  at(server: string): PersonAtServer {
    return new PersonAtServer(server, { origin: this.#origin, cookies: this.#cookies });
  }

  /** Sends a request like a page of the console. */
  async ask(method: string, path: string, body?: object): Promise<Answer> {
    const csrf = this.#cookies.get("__Host-butler_csrf") ?? this.#cookies.get("butler_csrf");
    const response = await fetch(new URL(path, this.#server), {
      method,
      headers: {
        cookie: this.#cookieText(),
        origin: this.#origin,
        ...(csrf === undefined ? {} : { "x-butler-csrf": csrf }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      redirect: "manual",
      dispatcher: newConnections,
    });
    for (const text of response.headers.getSetCookie()) {
      const [pair = ""] = text.split(";");
      const at = pair.indexOf("=");
      this.#cookies.set(pair.slice(0, at), pair.slice(at + 1));
    }
    const text = await response.text();
    return {
      status: response.status,
      body: text.startsWith("{") ? (JSON.parse(text) as Answer["body"]) : { text },
      requestId: response.headers.get("x-request-id") ?? "",
    };
  }

  /** Sends a request and returns the response; throws the whole response unless it succeeded. */
  async did(method: string, path: string, body?: object): Promise<Answer["body"]> {
    const answer = await this.ask(method, path, body);
    if (answer.status < 300) return answer.body;
    throw new Error(`${method} ${path} was answered by ${answer.status}: ${JSON.stringify(answer.body)}`);
  }

  /** Follows the clusters that this user can see; `names` returns the current ones. */
  followClusters(): { readonly live: LiveClient; readonly names: () => string[] } {
    let seen: string[] = [];
    const live = connectLive({
      baseUrl: this.#server,
      // Like a page: a ticket is valid for the Origin that requested it.
      openSocket: (url, protocols) => new WebSocket(url, protocols, { origin: this.#origin }),
      ticket: async () => String((await this.did("POST", "/api/live/tickets"))["ticket"]),
    });
    live.subscribe({ channel: "clusters", onState: (objects) => (seen = [...objects.keys()]) });
    this.#open.push(() => live.close());
    return { live, names: () => seen };
  }

  /** Opens a terminal and types a line; `shown` is the output, `closed` the close code. */
  async terminal(cluster: string, line: string) {
    const { url, ticket } = await this.did("POST", `/api/clusters/${cluster}/terminal`);
    const address = new URL(`${String(url)}?ticket=${String(ticket)}`, this.#server.replace(/^http/, "ws"));
    const socket = new WebSocket(address, { headers: { cookie: this.#cookieText() }, origin: this.#origin });
    this.#open.push(() => socket.terminate());
    const state: { shown: string; closed: number | undefined } = { shown: "", closed: undefined };
    socket.on("message", (data: Buffer) => (state.shown += data.toString()));
    socket.on("close", (code) => (state.closed = code));
    socket.on("error", (error) => (state.shown += `\n${error.message}`));
    socket.on("open", () => socket.send(Buffer.from(`${line}\n`)));
    return state;
  }

  /** Closes every page. */
  leave(): void {
    for (const close of this.#open.splice(0)) close();
  }

  #cookieText(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  }
}
