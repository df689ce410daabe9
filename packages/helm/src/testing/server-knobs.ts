import { once } from "node:events";
import { createServer as createPlainServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createEncryptedServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { createAuthority, issueCertificate } from "@butler/pki";

/** A fault to inject into responses for matching paths. */
export type Misbehaviour =
  | { readonly kind: "hang" }
  /** Headers, then one byte at a time. */
  | { readonly kind: "drip"; readonly everyMs: number }
  | { readonly kind: "endless" }
  /** A content length that does not match the body. */
  | { readonly kind: "wrongLength"; readonly by: number }
  | { readonly kind: "redirect"; readonly to: string; readonly status?: number }
  | { readonly kind: "status"; readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  | { readonly kind: "body"; readonly body: Buffer | string; readonly headers?: Readonly<Record<string, string>> }
  /** Bytes that are not HTTP. */
  | { readonly kind: "garbage" }
  | { readonly kind: "breakOff" }
  /** Requests a protocol upgrade. */
  | { readonly kind: "switch" };

/** Options of a test server. */
export interface TestServerOptions {
  /** 127.0.0.1 by default. */
  readonly host?: string | undefined;
  /** Whether it uses TLS, with its own CA. */
  readonly tls?: boolean | undefined;
  /** Accepted credentials; if omitted, none are required. */
  readonly credentials?: { readonly username: string; readonly password: string } | undefined;
}

/** A recorded request. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
}

/** A test server: its URL, the requests it received, and fault injection. */
export interface TestServer {
  /** Without a trailing slash. */
  readonly url: string;
  readonly host: string;
  /** The CA of its certificate, with TLS. */
  readonly ca: string | undefined;
  readonly requests: SeenRequest[];
  /** The last match applies; undefined clears the fault of the same path. */
  misbehave(path: RegExp, how: Misbehaviour | undefined): void;
  stop(): Promise<void>;
}

/** Starts a server with a request handler, except where it is configured to misbehave. */
export async function startTestServer(
  answer: (request: IncomingMessage, response: ServerResponse, path: string) => Promise<void>,
  { host = "127.0.0.1", tls = false }: TestServerOptions = {},
): Promise<TestServer> {
  const requests: SeenRequest[] = [];
  const rules = new Map<string, { readonly path: RegExp; readonly how: Misbehaviour }>();
  const sockets = new Set<Socket>();
  const authority = tls ? await createAuthority("an authority of a test") : undefined;
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    const path = request.url ?? "/";
    requests.push({ method: request.method ?? "", path, headers: request.headers });
    response.on("error", () => undefined);
    const rule = [...rules.values()].findLast((candidate) => candidate.path.test(path));
    if (rule !== undefined) misbehave(request, response, rule.how);
    else answer(request, response, path).catch(() => void response.destroy());
  };
  const server: Server =
    authority === undefined
      ? createPlainServer(listener)
      : createEncryptedServer(await issueCertificate(authority, certificateFor(host)), listener);
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket)).on("error", () => undefined);
  });
  server.listen(0, host);
  await once(server, "listening");
  const address = `${host}:${(server.address() as AddressInfo).port}`;
  return {
    url: `${tls ? "https" : "http"}://${address}`,
    host: address,
    ca: authority?.cert,
    requests,
    misbehave: (path, how) => {
      rules.delete(path.source);
      if (how !== undefined) rules.set(path.source, { path, how });
    },
    stop: async () => {
      if (!server.listening) return;
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

/** Whether a request has the right username and password. */
export function isAdmitted(request: IncomingMessage, { credentials }: TestServerOptions): boolean {
  if (credentials === undefined) return true;
  const { username, password } = credentials;
  return request.headers.authorization === `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
}

function certificateFor(host: string): Parameters<typeof issueCertificate>[1] {
  return { commonName: "a test", usages: ["server"], dnsNames: ["localhost"], ipAddresses: [host] };
}

function misbehave(request: IncomingMessage, response: ServerResponse, how: Misbehaviour): void {
  switch (how.kind) {
    case "hang":
      return;
    case "drip": {
      const timer = setInterval(() => void response.write("a"), how.everyMs);
      response.once("close", () => clearInterval(timer));
      response.writeHead(200).flushHeaders();
      return;
    }
    case "endless":
      response.writeHead(200);
      pour(response);
      return;
    case "wrongLength":
      request.socket.end(`HTTP/1.1 200 OK\r\ncontent-length: ${1000 + how.by}\r\n\r\n${"a".repeat(1000)}`);
      return;
    case "redirect":
      response.writeHead(how.status ?? 302, { location: how.to }).end();
      return;
    case "status":
      response.writeHead(how.status, how.headers).end("hunter2 is in this body");
      return;
    case "body":
      response.writeHead(200, how.headers).end(how.body);
      return;
    case "garbage":
      request.socket.end("\u0000\u0001 this is not HTTP\r\n\r\n");
      return;
    case "switch":
      request.socket.write("HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: telnet\r\n\r\nhello");
      return;
    case "breakOff":
      response.writeHead(200, { "content-length": 50_000 }).write(Buffer.alloc(1000));
      response.write("a", () => void request.socket.destroy());
      return;
  }
}

/** As fast as the client reads, for as long as it reads. */
function pour(response: ServerResponse): void {
  const piece = Buffer.alloc(64 * 1024, "a: b\n");
  const more = (): void => {
    while (!response.destroyed && response.write(piece));
  };
  response.on("drain", more);
  more();
}
