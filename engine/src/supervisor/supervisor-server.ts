import { ButlerError, describeError, InvalidInput, isRecord, NotFound } from "@butler/std";
import { once } from "node:events";
import { rmSync } from "node:fs";
import http from "node:http";
import type { Supervisor } from "./supervisor.ts";

/** A server that can be closed. */
export interface SupervisorServer {
  close(): Promise<void>;
}

const largestBody = 1024 * 1024;

/**
 * Serves a Unix socket that only its owner may use: GET /status, POST /reload, POST /stop with `services` or without
 * for everything, POST /restart with `service`. Each responds with the status, or with a `message`.
 */
export async function serveSupervisor(supervisor: Supervisor, socket: string): Promise<SupervisorServer> {
  const server = http.createServer((request, response) => void answer(supervisor, request, response));
  // Left by a supervisor that was killed; a running one would hold the lock. Any other file here is removed, too.
  rmSync(socket, { force: true, recursive: true });
  const listening = once(server, "listening");
  // Other users must never be able to connect, so the mode is not set by a later chmod.
  const umask = process.umask(0o177);
  try {
    server.listen(socket);
  } finally {
    process.umask(umask);
  }
  await listening;
  return {
    close: async () => {
      const closed = once(server, "close");
      server.close();
      server.closeIdleConnections();
      await closed;
    },
  };
}

async function answer(
  supervisor: Supervisor,
  request: http.IncomingMessage,
  response: http.ServerResponse,
): Promise<void> {
  const send = (code: number, body: unknown): void => {
    response.writeHead(code, { "content-type": "application/json", connection: "close" });
    response.end(JSON.stringify(body));
  };
  try {
    const body = await readBody(request);
    obey(supervisor, `${request.method} ${request.url}`, body);
    send(200, supervisor.status);
  } catch (error) {
    send(error instanceof ButlerError ? error.httpStatus : 500, { message: describeError(error) });
  }
}

function obey(supervisor: Supervisor, call: string, body: Readonly<Record<string, unknown>>): void {
  switch (call) {
    case "GET /status":
      return;
    case "POST /reload":
      return supervisor.reload();
    case "POST /stop":
      return supervisor.stop(parseNames(body["services"]));
    case "POST /restart":
      return supervisor.restart(String(body["service"]));
    default:
      throw new NotFound(`no such route: ${call}`);
  }
}

function parseNames(value: unknown): string[] | undefined {
  if (value === undefined) return undefined;
  if (Array.isArray(value) && value.every((name) => typeof name === "string")) return value;
  throw new InvalidInput("services must be a list of names");
}

async function readBody(request: http.IncomingMessage): Promise<Record<string, unknown>> {
  let text = "";
  for await (const chunk of request.setEncoding("utf8") as AsyncIterable<string>) {
    text += chunk;
    if (text.length > largestBody) throw new InvalidInput("the request is too large");
  }
  if (text === "") return {};
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return value;
  } catch (cause) {
    throw new InvalidInput("the request is not valid JSON", { cause });
  }
  throw new InvalidInput("the request must be an object");
}
