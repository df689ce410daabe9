import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { type CertificatePair, createAuthority, issueCertificate } from "@butler/pki";

/** How a fake API server handles a request. */
export type Manner = "answers" | "is silent" | "is not ready" | "says later";

/** Changes to the valid kubeconfig of a fake tenant. */
export interface KubeconfigChange {
  readonly token?: string;
  readonly caPem?: string;
  readonly port?: number;
  /** Path prefix, so that one server can represent many tenants. */
  readonly path?: string;
  readonly user?: Readonly<Record<string, unknown>>;
  readonly cluster?: Readonly<Record<string, unknown>>;
}

/** A fake tenant API server over real TLS. All lists are empty, and watches send no events. */
export class PlayedTenant {
  readonly authority: CertificatePair;
  readonly #server: Server;
  readonly #sockets = new Set<Duplex>();
  #port = 0;
  manner: Manner = "answers";
  /** Accepted credentials. */
  token = "right";
  /** Requested paths, in order. */
  readonly asked: string[] = [];

  private constructor(authority: CertificatePair, serving: CertificatePair) {
    this.authority = authority;
    this.#server = createServer({ cert: serving.cert, key: serving.key }, (request, response) =>
      this.#answer(request, response),
    );
    this.#server.on("connection", (socket) => {
      this.#sockets.add(socket);
      socket.on("error", () => undefined).on("close", () => this.#sockets.delete(socket));
    });
    this.#server.on("tlsClientError", () => undefined);
  }

  static async start(): Promise<PlayedTenant> {
    const authority = await createAuthority("played");
    const request = { commonName: "played", usages: ["server"] as const, ipAddresses: ["127.0.0.1"] };
    const tenant = new PlayedTenant(authority, await issueCertificate(authority, request));
    await tenant.open();
    return tenant;
  }

  /** Listens again on the same port. */
  async open(): Promise<void> {
    this.#server.listen(this.#port, "127.0.0.1");
    await once(this.#server, "listening");
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  /** Closes all connections and stops listening. */
  async close(): Promise<void> {
    if (!this.#server.listening) return;
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, "close");
  }

  /** Number of open connections. */
  get connections(): number {
    return this.#sockets.size;
  }

  /** Number of requests below a path, without probes. */
  asksFor(path: string): number {
    return this.asked.filter((asked) => asked.startsWith(`${path}/`) && !asked.endsWith("/readyz")).length;
  }

  get probes(): number {
    return this.asked.filter((path) => path.endsWith("/readyz")).length;
  }

  kubeconfig({ token = "right", caPem, port, path = "", user, cluster }: KubeconfigChange = {}): string {
    const authority = Buffer.from(caPem ?? this.authority.cert).toString("base64");
    const server = `https://127.0.0.1:${port ?? this.#port}${path}`;
    return JSON.stringify({
      clusters: [{ name: "c", cluster: { server, "certificate-authority-data": authority, ...cluster } }],
      users: [{ name: "u", user: user ?? { token } }],
      contexts: [{ name: "x", context: { cluster: "c", user: "u" } }],
      "current-context": "x",
    });
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const { pathname: path, searchParams } = new URL(request.url ?? "/", "https://any");
    this.asked.push(path);
    const give = (status: number, body: unknown): void => {
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    };
    if (this.manner === "is silent") return;
    if (request.headers.authorization !== `Bearer ${this.token}`) give(401, { message: "who are you?" });
    else if (this.manner === "is not ready") give(500, { message: "not yet" });
    else if (path.endsWith("/readyz")) response.end("ok");
    else if (this.manner === "says later") response.writeHead(429, { "retry-after": "3600" }).end();
    else if (searchParams.has("watch")) response.writeHead(200).flushHeaders();
    else give(200, { metadata: { resourceVersion: "1" }, items: [] });
  }
}
