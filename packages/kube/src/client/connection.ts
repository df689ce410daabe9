import { createHash } from "node:crypto";
import type { AgentOptions } from "node:https";
import { type Cluster, KubeConfig } from "@kubernetes/client-node";
import { type Clock, InvalidInput, systemClock } from "@butler/std";
import { Agent, type buildConnector, type Dispatcher, ProxyAgent, request } from "undici";
import { loadInClusterConfig } from "./in-cluster.ts";
import type { Answer, Connections, OutgoingRequest } from "./transport.ts";

/** How long credentials are used before they are read again. */
const credentialLifetimeMs = 30_000;

/** Maximum concurrent plain requests; watches have separate connections. */
const maximumConnections = 64;

/** What a request needs besides its path: the server and the credentials. */
export interface Connection {
  readonly origin: string;
  readonly basePath: string;
  readonly headers: Readonly<Record<string, string>>;
  /** For requests that end. */
  readonly requests: Dispatcher;
  /** For streams that stay open. */
  readonly streams: Dispatcher;
}

interface Material {
  readonly fingerprint: string;
  readonly tls: AgentOptions;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Turns a kubeconfig into connections. Every form of authentication that the official client knows works here (client
 * certificates, tokens, token files, exec plug-ins, OIDC, basic), because it is the one that reads them. Credentials are
 * asked for again every half minute and after a 401; connections are rebuilt only when certificates change.
 */
export class ConnectionSource implements Connections {
  #config: KubeConfig;
  readonly #clock: Clock;
  #current: { connection: Connection; fingerprint: string; readAtMs: number } | undefined;
  #pending: Promise<Connection> | undefined;

  constructor(config: KubeConfig, clock: Clock = systemClock) {
    this.#config = config;
    this.#clock = clock;
  }

  /** Sends a request; a stream has its own connection that blocks no other request. */
  async send({ method, path, headers, body, signal, isStream }: OutgoingRequest): Promise<Answer> {
    const connection = await this.get();
    const { statusCode, ...answer } = await request(`${connection.origin}${connection.basePath}${path}`, {
      method,
      dispatcher: isStream ? connection.streams : connection.requests,
      signal,
      headers: { ...connection.headers, ...headers },
      body,
    });
    const retryAfter = answer.headers["retry-after"];
    return {
      status: statusCode,
      retryAfter: Array.isArray(retryAfter) ? retryAfter[0] : retryAfter,
      body: answer.body,
      readBytes: () => answer.body.bytes(),
    };
  }

  /** A connection with sufficiently recent credentials. */
  get(): Promise<Connection> {
    const current = this.#current;
    if (current !== undefined && this.#clock.monotonicMs() - current.readAtMs < credentialLifetimeMs) {
      return Promise.resolve(current.connection);
    }
    this.#pending ??= this.#refresh().finally(() => (this.#pending = undefined));
    return this.#pending;
  }

  /** Makes the next `get` bypass every cache and read the credentials again: the server has just rejected them. */
  invalidate(): void {
    const { clusters, users, contexts, currentContext } = this.#config;
    // Token files and exec plug-ins cache what they read; a new copy has an empty cache.
    this.#config = new KubeConfig();
    this.#config.loadFromOptions({ clusters, users, contexts, currentContext });
    if (this.#current !== undefined) this.#current = { ...this.#current, readAtMs: Number.NEGATIVE_INFINITY };
  }

  /** Closes all connections. Requests in flight fail. */
  async close(): Promise<void> {
    const connection = this.#current?.connection;
    this.#current = undefined;
    if (connection !== undefined) await Promise.all([connection.requests.destroy(), connection.streams.destroy()]);
  }

  async #refresh(): Promise<Connection> {
    const cluster = this.#config.getCurrentCluster();
    if (cluster === null)
      throw new InvalidInput("the kubeconfig has no current context", {
        hint: "Set current-context in the kubeconfig.",
      });
    const material = await this.#readMaterial();
    const previous = this.#current;
    const isSame = previous?.fingerprint === material.fingerprint;
    const dispatchers = isSame ? previous.connection : this.#buildDispatchers(cluster, material.tls);
    const url = new URL(cluster.server);
    const connection: Connection = {
      origin: url.origin,
      basePath: url.pathname.replace(/\/$/, ""),
      headers: material.headers,
      requests: dispatchers.requests,
      streams: dispatchers.streams,
    };
    this.#current = { connection, fingerprint: material.fingerprint, readAtMs: this.#clock.monotonicMs() };
    // Streams on the old certificates run until they end; only idle connections are closed.
    if (!isSame) void previous?.connection.requests.close();
    return connection;
  }

  async #readMaterial(): Promise<Material> {
    const options: AgentOptions & { headers?: Record<string, string>; auth?: string } = {};
    await this.#config.applyToHTTPSOptions(options);
    const { ca, cert, key, pfx, passphrase, rejectUnauthorized, servername } = options;
    const tls = Object.fromEntries(
      Object.entries({ ca, cert, key, pfx, passphrase, rejectUnauthorized, servername }).filter(
        ([, value]) => value !== undefined && value !== null,
      ),
    ) as AgentOptions;
    const headers: Record<string, string> = { ...options.headers };
    if (options.auth) headers["Authorization"] = `Basic ${Buffer.from(options.auth).toString("base64")}`;
    return { fingerprint: fingerprintOf(tls), tls, headers };
  }

  #buildDispatchers(cluster: Cluster, tls: AgentOptions): Pick<Connection, "requests" | "streams"> {
    const options = this.#config.createDispatcherOptions(cluster, tls);
    const build = (connections: number | null): Dispatcher => {
      // One request or watch per connection (HTTP/1.1): a connection that dies takes nothing else with it.
      const shared = { connections, pipelining: 1, allowH2: false, headersTimeout: 0, bodyTimeout: 0 };
      switch (options.type) {
        case "agent":
          return new Agent({ ...shared, connect: options.connect as buildConnector.BuildOptions });
        case "proxy":
          return new ProxyAgent({
            ...shared,
            uri: options.uri,
            requestTls: options.requestTls as buildConnector.BuildOptions,
            connect: options.connect as buildConnector.BuildOptions,
          });
        case "socks":
          throw new InvalidInput("a SOCKS proxy in the kubeconfig is not supported", { hint: "Use an HTTP proxy." });
        case "none":
          return new Agent(shared);
      }
    };
    return { requests: build(maximumConnections), streams: build(null) };
  }
}

function fingerprintOf(tls: AgentOptions): string {
  const hash = createHash("sha256");
  for (const [name, value] of Object.entries(tls)) hash.update(`${name}=${String(value)}\n`);
  return hash.digest("hex");
}

/**
 * The kubeconfig of a process: the given file, otherwise `$KUBECONFIG`, the service account of its pod, or
 * `~/.kube/config`.
 */
export function loadKubeConfig(file?: string): KubeConfig {
  const isNamed = file !== undefined || (process.env["KUBECONFIG"] ?? "") !== "";
  const ofPod = isNamed ? undefined : loadInClusterConfig();
  if (ofPod !== undefined) return ofPod;
  const config = new KubeConfig();
  if (file === undefined) config.loadFromDefault();
  else config.loadFromFile(file);
  // The official client falls back to localhost, which was never configured.
  if (file === undefined && config.currentContext === "loaded-context") {
    throw new InvalidInput("no cluster configured: no kubeconfig found, and this process does not run in a pod", {
      hint: "Specify a kubeconfig with --kubeconfig or KUBECONFIG.",
    });
  }
  return config;
}
