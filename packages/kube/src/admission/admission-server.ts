import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer, type Server, type ServerOptions } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { Bug, type Clock, describeError, InvalidInput, systemClock, Timeout, withTimeLimit } from "@butler/std";
import { type Logger, MetricsRegistry, silentLogger } from "@butler/telemetry";
import {
  type AdmissionAnswer,
  admissionHandlersByPath,
  admissionLimitMs,
  answerAdmissionCall,
  defaultMaximumReviewBytes,
  malformed,
  pathOf,
  refuseUnread,
} from "./admission-call.ts";
import { admissionMetrics, type AdmissionMetrics } from "./admission-metrics.ts";
import type { AdmissionHandler } from "./admission-review.ts";
import {
  type CertificateFiles,
  type CertificateMaterial,
  loadCertificate,
  watchCertificate,
} from "./certificate-files.ts";

export interface AdmissionServerOptions {
  readonly handlers: readonly AdmissionHandler[];
  readonly certificate: Pick<CertificateFiles, "certFile" | "keyFile">;
  /** Accepts only clients with a certificate of this CA. */
  readonly clientCaFile?: string | undefined;
  /** 0 lets the system choose; `start` returns the port. */
  readonly port: number;
  /** All addresses by default. */
  readonly host?: string | undefined;
  /** A call that takes longer is denied. Should be less than the `timeoutSeconds` of the webhook configuration. */
  readonly requestLimitMs?: number;
  readonly maximumReviewBytes?: number;
  /** How long `stop` waits for calls in progress. */
  readonly stopGraceMs?: number;
  readonly certificateCheckMs?: number;
  readonly clock?: Clock;
  readonly logger?: Logger;
  readonly metrics?: MetricsRegistry;
}

/** Longer than the 90 seconds for which the API server keeps an idle connection, so that it is the one to close it. */
const keepAliveTimeoutMs = 120_000;
const headersTimeoutMs = 5_000;

/** The HTTPS server for admission webhooks. Fails closed. */
export class AdmissionServer {
  readonly #options: AdmissionServerOptions;
  readonly #handlers: ReadonlyMap<string, AdmissionHandler>;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #metrics: AdmissionMetrics;
  readonly #requestLimitMs: number;
  readonly #maximumReviewBytes: number;
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;
  #stopWatching: () => void = () => undefined;
  #stopping: Promise<void> | undefined;

  constructor(options: AdmissionServerOptions) {
    this.#options = options;
    this.#handlers = admissionHandlersByPath(options.handlers);
    this.#clock = options.clock ?? systemClock;
    this.#logger = options.logger ?? silentLogger;
    this.#metrics = admissionMetrics(options.metrics ?? new MetricsRegistry());
    this.#requestLimitMs = options.requestLimitMs ?? 8_000;
    this.#maximumReviewBytes = options.maximumReviewBytes ?? defaultMaximumReviewBytes;
  }

  /** Starts serving; returns the port. Throws InvalidInput when the certificate is invalid. */
  async start(): Promise<number> {
    if (this.#server !== undefined) throw new Bug("the admission server is already started");
    const files: CertificateFiles = { ...this.#options.certificate, clientCaFile: this.#options.clientCaFile };
    const certificate = await loadCertificate(files);
    const server = createServer(this.#tlsOptions(certificate), (request, response) => {
      this.#serve(request, response).catch((error: unknown) => {
        this.#logger.error("failed to respond to admission request", { error });
        response.destroy();
      });
    });
    this.#server = server;
    server.on("connection", (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once("close", () => this.#sockets.delete(socket));
    });
    server.on("tlsClientError", (error) => this.#logger.debug("TLS handshake failed", { error }));
    await listen(server, this.#options);
    server.on("error", (error) => this.#logger.error("admission server cannot accept a connection", { error }));
    this.#stopWatching = watchCertificate({
      files,
      current: certificate,
      clock: this.#clock,
      intervalMs: this.#options.certificateCheckMs ?? 1_000,
      onChange: (changed) => this.#swapCertificate(server, changed),
      onBroken: (error) => {
        this.#metrics.certificateRead("broken");
        this.#logger.error("new certificate is invalid; keeping the current one", { error });
      },
    });
    return (server.address() as AddressInfo).port;
  }

  /** Accepts no more calls, lets those in progress finish, and aborts the rest after the timeout. */
  stop(): Promise<void> {
    this.#stopping ??= this.#server === undefined ? Promise.resolve() : this.#close(this.#server);
    return this.#stopping;
  }

  async #close(server: Server): Promise<void> {
    this.#stopWatching();
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    const timer = this.#clock.after(this.#options.stopGraceMs ?? this.#requestLimitMs + 1_000, () => {
      this.#logger.warn("admission server stopped with calls in progress", { connections: this.#sockets.size });
      for (const socket of this.#sockets) socket.destroy();
    });
    await closed;
    timer.cancel();
  }

  #tlsOptions(certificate: CertificateMaterial): ServerOptions {
    return {
      ...certificate,
      minVersion: "TLSv1.2",
      requestCert: certificate.ca !== undefined,
      rejectUnauthorized: certificate.ca !== undefined,
      handshakeTimeout: 10_000,
      headersTimeout: headersTimeoutMs,
      // Only a last resort: our own timeout responds before this one closes the connection.
      requestTimeout: headersTimeoutMs + this.#requestLimitMs,
      keepAliveTimeout: keepAliveTimeoutMs,
    };
  }

  #swapCertificate(server: Server, certificate: CertificateMaterial): void {
    server.setSecureContext({ ...certificate, minVersion: "TLSv1.2" });
    this.#metrics.certificateRead("served");
    this.#logger.info("certificate changed");
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const startedAtMs = this.#clock.monotonicMs();
    const path = pathOf(request.url ?? "");
    const answer = await this.#answer(request, response);
    // The path of an unknown call is chosen by the caller and would create a new series each time.
    const label = this.#handlers.has(path) ? path : "other";
    const seconds = (this.#clock.monotonicMs() - startedAtMs) / 1_000;
    this.#metrics.answered({ path: label, result: answer.result, seconds });
    if (answer.failure !== undefined && answer.result !== "aborted") {
      this.#logger.error("admission check failed", { path, error: describeError(answer.failure) });
    }
    if (response.destroyed) return;
    // An unread rest of the body would be parsed as the next request.
    const mustClose = this.#stopping !== undefined || !request.complete;
    const body = Buffer.from(answer.body);
    response.writeHead(answer.httpStatus, {
      "content-type": answer.contentType,
      "content-length": body.length,
      ...(mustClose ? { connection: "close" } : {}),
    });
    response.end(body, () => {
      if (!request.complete) request.destroy();
    });
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<AdmissionAnswer> {
    const { method = "", url = "", headers } = request;
    const hungUp = new AbortController();
    response.once("close", () => hungUp.abort());
    const limitMs = admissionLimitMs(url, this.#requestLimitMs);
    const startedAtMs = this.#clock.monotonicMs();
    const bodyBytes = Number(headers["content-length"] ?? 0);
    const call = { method, url, contentType: headers["content-type"] };
    const refused = refuseUnread({ ...call, bodyBytes }, this.#handlers.get(pathOf(url)), this.#maximumReviewBytes);
    if (refused !== undefined) return refused;
    try {
      const body = await withTimeLimit(
        { clock: this.#clock, limitMs, signal: hungUp.signal, action: "read the body" },
        () => readBody(request, this.#maximumReviewBytes),
      );
      const remainingMs = startedAtMs + limitMs - this.#clock.monotonicMs();
      const { signal } = hungUp;
      return await answerAdmissionCall(
        { ...call, body },
        { handlers: this.#handlers, clock: this.#clock, limitMs: remainingMs, signal },
      );
    } catch (error) {
      if (error instanceof Timeout) return malformed(408, "timed out reading the body");
      if (error instanceof InvalidInput) return malformed(413, error.message);
      return { ...malformed(400, "the client canceled the call"), result: "aborted", failure: error };
    }
  }
}

function listen(server: Server, { port, host }: AdmissionServerOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port, host }, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

/** Reads to the end, or rejects as soon as the limit is exceeded, leaving the connection open for a response. */
function readBody(request: IncomingMessage, maximumBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= maximumBytes) chunks.push(chunk);
      else {
        request.pause();
        reject(new InvalidInput(`the body is larger than ${maximumBytes} bytes`));
      }
    });
    request.once("end", () => resolve(Buffer.concat(chunks)));
    request.once("error", reject);
  });
}
