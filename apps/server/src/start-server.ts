import type { AddressInfo } from "node:net";
import type { ApiClient, KubeClient } from "@butler/kube";
import type { ObjectKey } from "@butler/resource";
import { type Clock, describeError, systemClock, Unavailable } from "@butler/std";
import { type Logger, MetricsRegistry, silentLogger } from "@butler/telemetry";
import type { FastifyInstance } from "fastify";
import { serveConsole } from "./console/serve-console.ts";
import { allHandlers } from "./handlers/all-handlers.ts";
import type { HandlerContext } from "./handlers/handler-context.ts";
import { buildApp } from "./http/app.ts";
import type { Handler } from "./http/handler.ts";
import { RecordLimits } from "./audit/record-limits.ts";
import type { RateLimit } from "./http/rate-limit.ts";
import { refuseOtherUpgrades } from "./http/upgrades.ts";
import type { AuditSink, Authenticator, CsrfCheck } from "./ports.ts";
import { ApiHealth, type ApiHealthOptions, apiProbe } from "./state/api-health.ts";
import { ServerState } from "./state/state.ts";

/** Options of a server. */
export interface ServerOptions {
  readonly client: ApiClient;
  readonly authenticate: Authenticator;
  readonly checkCsrf: CsrfCheck;
  readonly audit: AuditSink;
  readonly tenants: { clientFor(key: ObjectKey, signal: AbortSignal): Promise<KubeClient> };
  /** State shared with other parts. Defaults to a new one. */
  readonly state?: ServerState;
  /** Handlers of further routes: sign-in, sessions, the audit log. */
  readonly handlers?: (context: HandlerContext) => readonly Handler[];
  /** Adds non-route handlers, such as WebSockets, before the server listens. */
  readonly extend?: (app: FastifyInstance, context: HandlerContext) => void;
  /** Folder of the built console; without it the server serves the API only. */
  readonly consoleFolder?: string | undefined;
  readonly host?: string;
  /** 0 lets the system choose. */
  readonly port: number;
  readonly publicUrl?: string;
  readonly version?: string;
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
  readonly trustedProxies?: readonly string[];
  readonly rateLimits?: { readonly normal: RateLimit; readonly strict: RateLimit };
  readonly requestTimeoutMs?: number;
  readonly clock?: Clock;
  readonly logger?: Logger;
  readonly metrics?: MetricsRegistry;
  /** Whether to validate every response against the contract, for tests. */
  readonly checkAnswers?: boolean;
  /** How the connection to the Kubernetes API is checked. */
  readonly health?: Partial<Pick<ApiHealthOptions, "everyMs" | "toleranceMs">>;
}

/** A listening server. */
export interface RunningServer {
  readonly url: string;
  readonly port: number;
  readonly app: FastifyInstance;
  readonly state: ServerState;
  readonly isReady: () => boolean;
  /** Stops accepting requests, waits for those in progress, and releases all resources. */
  close(): Promise<void>;
}

const defaultLimits = { normal: { burst: 400, perSecond: 100 }, strict: { burst: 10, perSecond: 0.2 } };

/** Fills the caches and starts listening. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { client, logger = silentLogger, metrics = new MetricsRegistry(), host = "127.0.0.1" } = options;
  const over = new AbortController();
  const state = options.state ?? new ServerState(client, { logger, metrics });
  const life = { isClosing: false };
  const health = new ApiHealth({ probe: apiProbe(client), clock: options.clock ?? systemClock, ...options.health });
  const isReady = (): boolean => !life.isClosing && state.isReady && health.isAvailable;
  const context = contextOf(options, { state, isReady });
  const app = appOf(options, context, { logger, metrics, health });
  options.extend?.(app, context);
  refuseOtherUpgrades(app.server);
  const close = async (): Promise<void> => {
    life.isClosing = true;
    await app.close();
    over.abort();
    if (options.state === undefined) await state.caches.stopped();
  };
  try {
    if (options.consoleFolder !== undefined) await serveConsole(app, options.consoleFolder, options.publicUrl);
    if (options.state === undefined) await state.start(over.signal);
    await app.listen({ host, port: options.port });
    void health.run(over.signal);
  } catch (error) {
    await close();
    throw new Unavailable(`the server cannot start: ${describeError(error)}`, { cause: error });
  }
  const { port } = app.server.address() as AddressInfo;
  const url = `${options.tls === undefined ? "http" : "https"}://${host}:${port}`;
  logger.info("server listening", { url });
  return { url, port, app, state, isReady, close };
}

function contextOf(
  options: ServerOptions,
  { state, isReady }: Pick<HandlerContext, "state" | "isReady">,
): HandlerContext {
  const { client, tenants, clock = systemClock, version = "0.1.0", publicUrl = "" } = options;
  return { state, client, tenants, clock, version, publicUrl: publicUrl.replace(/\/+$/, ""), isReady };
}

function appOf(
  options: ServerOptions,
  context: HandlerContext,
  {
    logger,
    metrics,
    health,
  }: { readonly logger: Logger; readonly metrics: MetricsRegistry; readonly health: ApiHealth },
): FastifyInstance {
  const { authenticate, checkCsrf, audit, requestTimeoutMs = 25_000, checkAnswers = false } = options;
  const { state, client, clock } = context;
  const recordLimits = new RecordLimits({ clock, metrics });
  return buildApp({
    parts: {
      state,
      client,
      authenticate,
      checkCsrf,
      audit,
      clock,
      logger,
      requestTimeoutMs,
      health,
      recordLimits,
      checkAnswers,
    },
    handlers: [...allHandlers(context), ...(options.handlers?.(context) ?? [])],
    metrics,
    clock,
    trustedProxies: options.trustedProxies ?? [],
    publicUrl: options.publicUrl,
    rateLimits: options.rateLimits ?? defaultLimits,
    tls: options.tls,
  });
}
