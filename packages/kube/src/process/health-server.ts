import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { describeError, Unavailable } from "@butler/std";
import type { MetricsRegistry } from "@butler/telemetry";

export interface HealthServerOptions {
  /** 0 lets the system choose. */
  readonly port: number;
  readonly isReady: () => boolean;
  /** Why the process is not ready, one line each. */
  readonly waitsFor?: () => readonly string[];
  readonly metrics: MetricsRegistry;
}

/** A running health server. */
export interface HealthServer {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Serves /healthz, /readyz and /metrics in plain HTTP. Any response of /healthz proves liveness: a blocked event loop
 * does not respond.
 */
export async function startHealthServer(options: HealthServerOptions): Promise<HealthServer> {
  const { port, isReady, waitsFor = () => [], metrics } = options;
  const pages: Readonly<Record<string, (response: ServerResponse) => void | Promise<void>>> = {
    "/healthz": (response) => send(response, 200, "ok\n"),
    "/readyz": (response) => (isReady() ? send(response, 200, "ok\n") : send(response, 503, notReady(waitsFor()))),
    "/metrics": async (response) => {
      response.setHeader("content-type", metrics.contentType);
      send(response, 200, await metrics.text());
    },
  };
  const server = createServer((request, response) => {
    const page = pages[(request.url ?? "").split("?", 1)[0] ?? ""];
    if (page === undefined) send(response, 404, "not found\n");
    else if (request.method !== "GET" && request.method !== "HEAD") send(response, 405, "method not allowed\n");
    else {
      void (async () => page(response))().catch((error: unknown) => {
        if (!response.headersSent) send(response, 500, `${describeError(error)}\n`);
      });
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.on("error", (error) => reject(new Unavailable(`cannot listen on port ${port}`, { cause: error })));
    server.listen(port, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function notReady(reasons: readonly string[]): string {
  return ["not ready", ...reasons].map((line) => `${line}\n`).join("");
}

function send(response: ServerResponse, status: number, body: string): void {
  response.statusCode = status;
  if (!response.hasHeader("content-type")) response.setHeader("content-type", "text/plain; charset=utf-8");
  response.end(body);
}
