import { randomBytes } from "node:crypto";
import { METHODS } from "node:http";
import type { Clock } from "@butler/std";
import type { MetricsRegistry } from "@butler/telemetry";
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import type { IncomingRequest } from "../ports.ts";
import { proxyTrust } from "./client-origin.ts";
import { compressed, contentOf, etagOf, isKnown } from "./answer.ts";
import type { Handler } from "./handler.ts";
import { answerUnreadable } from "./unreadable.ts";
import { type Outcome, type PipelineParts, runPipeline } from "./pipeline.ts";
import { problemOf, RouteProblem } from "./problem.ts";
import { type RateLimit, RateLimiter } from "./rate-limit.ts";

/** Listen options and limits of the server. */
export interface AppOptions {
  readonly parts: PipelineParts;
  readonly handlers: readonly Handler[];
  readonly metrics: MetricsRegistry;
  readonly clock: Clock;
  /** Addresses of proxies whose X-Forwarded-For is trusted. */
  readonly trustedProxies: readonly string[];
  /** The server's public URL; with https, every request counts as one over TLS. */
  readonly publicUrl?: string | undefined;
  readonly rateLimits: { readonly normal: RateLimit; readonly strict: RateLimit };
  /** Certificate and key in PEM form; plain HTTP without them. */
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
}

const largestBodyBytes = 256 * 1024;
/** All methods except CONNECT, which never arrives as a request. */
const otherMethods = METHODS.filter((method) => method !== "CONNECT");

/** Headers of every response: no content sniffing, no framing, no caching. */
const safeHeaders = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "x-frame-options": "DENY",
  "cross-origin-resource-policy": "same-origin",
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
} as const;

/** Creates the HTTP application with the routes of the handlers and their rate limits. */
export function buildApp(options: AppOptions): FastifyInstance {
  const { handlers, parts, tls, trustedProxies } = options;
  const isTrusted = proxyTrust(trustedProxies);
  const app = Fastify({
    bodyLimit: largestBodyBytes,
    // Longer than the timeout of a handler, so that the handler can still report it.
    requestTimeout: parts.requestTimeoutMs + 5_000,
    keepAliveTimeout: 65_000,
    forceCloseConnections: "idle",
    genReqId: () => randomBytes(10).toString("hex"),
    clientErrorHandler: answerUnreadable,
    trustProxy: trustedProxies.length === 0 ? false : (address: string) => isTrusted(address),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 1_100 },
    ...(tls === undefined ? {} : { https: tls }),
  }) as FastifyInstance;
  app.removeAllContentTypeParsers();
  // Read as text: a body is parsed only after its sender is authenticated and authorized.
  app.addContentTypeParser(/^application\/(?:[\w.+-]+\+)?json\b/, { parseAs: "string" }, (_request, body, done) =>
    done(null, body),
  );
  app.addHook("onRequest", (request, reply, done) => {
    void reply.headers({ ...safeHeaders, "x-request-id": request.id, "cache-control": "no-store" });
    if (isSecure(request, options)) void reply.header("strict-transport-security", "max-age=31536000");
    done();
  });
  addLimits(app, options);
  app.setNotFoundHandler((request, reply) =>
    sendProblem(request, reply, new RouteProblem("NOT_FOUND", "no such route")),
  );
  app.setErrorHandler((error, request, reply) => sendProblem(request, reply, error));
  for (const method of otherMethods) if (!app.supportedMethods.includes(method)) app.addHttpMethod(method);
  for (const handler of handlers) addRoute(app, handler, options);
  refuseOtherMethods(app, handlers);
  return app;
}

function addLimits(app: FastifyInstance, { rateLimits, clock, handlers, metrics }: AppOptions): void {
  const normal = new RateLimiter(rateLimits.normal, clock);
  const strict = new RateLimiter(rateLimits.strict, clock);
  const strictUrls = new Set(handlers.filter(({ route }) => route.rate === "strict").flatMap(urlsOf));
  const limited = metrics.counter("butler_server_limited_total", {
    help: "Requests rejected by rate limits.",
  });
  app.addHook("onRequest", (request, _reply, done) => {
    const limiter = strictUrls.has(request.routeOptions.url ?? "") ? strict : normal;
    const wait = limiter.secondsToWait(request.ip);
    if (wait === undefined) return done();
    limited.inc();
    done(
      new RouteProblem("RATE_LIMITED", "too many requests from this address", {
        retryAfterSeconds: wait,
        hint: `Retry in ${wait} s.`,
      }),
    );
  });
}

function addRoute(app: FastifyInstance, handler: Handler, options: AppOptions): void {
  const { parts, metrics } = options;
  const { route } = handler;
  const durations = metrics.histogram("butler_server_request_seconds", {
    help: "Request duration by route and status.",
    labels: ["route", "status"],
  });
  for (const url of urlsOf(handler)) {
    app.route({
      method: route.method,
      url,
      handler: async (request, reply) => {
        const beganMs = performance.now();
        let isKept = true;
        const outcome = await runPipeline(parts, handler, {
          request: incomingOf(request, options),
          requestId: request.id,
          params: request.params,
          query: request.query,
          bodyText: typeof request.body === "string" ? request.body : "",
          setHeader: (name, value) => {
            if (name === "cache-control") isKept = false;
            void reply.header(name, value);
          },
        });
        await send(request, reply, { outcome, contentType: route.contentType, isKept });
        durations.observe({ route: route.id, status: String(reply.statusCode) }, (performance.now() - beganMs) / 1_000);
        return reply;
      },
    });
  }
}

/** Returns METHOD_NOT_ALLOWED rather than NOT_FOUND for known paths with another method. */
function refuseOtherMethods(app: FastifyInstance, handlers: readonly Handler[]): void {
  const byUrl = Map.groupBy(
    handlers.flatMap((handler) => urlsOf(handler).map((url) => ({ url, method: handler.route.method }))),
    ({ url }) => shapeOf(url),
  );
  for (const known of byUrl.values()) {
    const allowed = new Set<string>(known.map(({ method }) => method));
    // HEAD is allowed wherever GET is.
    const others = otherMethods.filter((method) => !allowed.has(method === "HEAD" ? "GET" : method));
    const [first] = known;
    if (first === undefined || others.length === 0) continue;
    app.route({
      method: others,
      url: first.url,
      // Before the request body is read.
      onRequest: (request, reply, done) => {
        void reply.header("allow", [...allowed].join(", "));
        done(new RouteProblem("METHOD_NOT_ALLOWED", `${request.method} is not allowed on this path`));
      },
      handler: () => undefined,
    });
  }
}

interface Answer {
  readonly outcome: Outcome;
  readonly contentType: string;
  /** Whether browsers may cache it; a handler's own cache-control takes precedence. */
  readonly isKept: boolean;
}

async function send(
  request: FastifyRequest,
  reply: FastifyReply,
  { outcome, contentType, isKept }: Answer,
): Promise<void> {
  if ("problem" in outcome) {
    if (outcome.retryAfterSeconds !== undefined) void reply.header("retry-after", String(outcome.retryAfterSeconds));
    return void reply
      .code(outcome.problem.status)
      .type("application/problem+json")
      .send(JSON.stringify(outcome.problem));
  }
  void reply.code(outcome.status);
  if (outcome.body === undefined) return void reply.send();
  const content = contentOf(outcome.body, contentType);
  void reply.header("vary", "accept-encoding, cookie, authorization").type(`${contentType}; charset=utf-8`);
  if (isKept && (request.method === "GET" || request.method === "HEAD")) {
    const etag = etagOf(outcome.body, content);
    // May be cached but must be revalidated: the user's access can end at any time.
    void reply.header("etag", etag).header("cache-control", "private, no-cache");
    if (isKnown(etag, request.headers["if-none-match"])) return void reply.code(304).send();
  }
  const encoding = request.headers["accept-encoding"];
  const acceptEncoding = Array.isArray(encoding) ? encoding.join(",") : encoding;
  const packed = await compressed(outcome.body, { content, acceptEncoding });
  if (packed === undefined) return void reply.send(content);
  void reply.header("content-encoding", "gzip").send(packed);
}

function sendProblem(request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply {
  const problem = problemOf(error, request.id);
  if (error instanceof RouteProblem && error.retryAfterSeconds !== undefined) {
    void reply.header("retry-after", String(error.retryAfterSeconds));
  }
  return reply.code(problem.status).type("application/problem+json").send(JSON.stringify(problem));
}

function incomingOf(request: FastifyRequest, options: AppOptions): IncomingRequest {
  const { method, url, headers, ip: sourceAddress } = request;
  return { method, url, headers, sourceAddress, isSecure: isSecure(request, options) };
}

function isSecure(request: FastifyRequest, { publicUrl = "" }: AppOptions): boolean {
  return request.protocol === "https" || publicUrl.startsWith("https:");
}

function urlsOf({ route }: Handler): string[] {
  return [route.path, ...route.aliases].map((path) => path.replaceAll(/\{(\w+)\}/g, ":$1"));
}

/** Two addresses of the same shape are one to the router, whatever their parameters are called. */
function shapeOf(url: string): string {
  return url.replaceAll(/:\w+/g, ":");
}
