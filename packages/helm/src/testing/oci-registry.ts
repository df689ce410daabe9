import { createHash, randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { isAdmitted, startTestServer, type TestServer, type TestServerOptions } from "./server-knobs.ts";

/** Options of a test registry. */
export interface OciRegistryOptions extends TestServerOptions {
  /** Authentication, if credentials are set: basic, or with a token from /token. */
  readonly auth?: "basic" | "bearer" | undefined;
  /** Alternative token server. */
  readonly realm?: string | undefined;
}

/** A registry and its content. */
export interface OciRegistry extends TestServer {
  /** By digest. */
  readonly blobs: Map<string, Buffer>;
  /** By `name:tag` and by `name@digest`. */
  readonly manifests: Map<string, { readonly type: string; readonly content: Buffer }>;
}

const digestOf = (content: Buffer): string => `sha256:${createHash("sha256").update(content).digest("hex")}`;
const namePattern = "([a-z0-9]+(?:[._/-]+[a-z0-9]+)*)";

/**
 * A small registry that follows the distribution specification for push, pull and list, so that the real helm can push
 * to it. Content is kept in memory.
 */
export async function startOciRegistry(options: OciRegistryOptions = {}): Promise<OciRegistry> {
  const blobs: OciRegistry["blobs"] = new Map();
  const manifests: OciRegistry["manifests"] = new Map();
  const uploads = new Map<string, Buffer>();
  const tokens = new Set<string>();
  const state = { blobs, manifests, uploads };
  const server = await startTestServer(async (request, response, path) => {
    const url = new URL(path, "http://registry");
    if (url.pathname === "/token") giveToken(request, response, { options, tokens });
    else if (!mayEnter(request, options, tokens)) challenge(request, response, options);
    else await serve(request, response, { ...state, url });
  }, options);
  return { ...server, blobs, manifests };
}

interface Visit {
  readonly blobs: OciRegistry["blobs"];
  readonly manifests: OciRegistry["manifests"];
  readonly uploads: Map<string, Buffer>;
  readonly url: URL;
}

type Route = (
  request: IncomingMessage,
  response: ServerResponse,
  visit: Visit & { readonly name: string; readonly rest: string },
) => Promise<void>;

const routes: readonly (readonly [RegExp, Route])[] = [
  [new RegExp(`^/v2/${namePattern}/tags/(list)$`), listTags],
  [new RegExp(`^/v2/${namePattern}/manifests/([\\w.:-]+)$`), serveManifest],
  [new RegExp(`^/v2/${namePattern}/blobs/uploads/([\\w-]*)$`), serveUpload],
  [new RegExp(`^/v2/${namePattern}/blobs/(sha256:[0-9a-f]{64})$`), serveBlob],
];

async function serve(request: IncomingMessage, response: ServerResponse, visit: Visit): Promise<void> {
  const { pathname } = visit.url;
  if (pathname === "/v2/" || pathname === "/v2") {
    response.writeHead(200).end("{}");
    return;
  }
  for (const [pattern, route] of routes) {
    const [, name, rest] = pattern.exec(pathname) ?? [];
    if (name !== undefined) return route(request, response, { ...visit, name, rest: rest ?? "" });
  }
  refuse(response, 404, "NAME_UNKNOWN");
}

async function listTags(
  _request: IncomingMessage,
  response: ServerResponse,
  { manifests, name, url }: Parameters<Route>[2],
): Promise<void> {
  const prefix = `${name}:`;
  const all = [...manifests.keys()].filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length));
  if (all.length === 0) return refuse(response, 404, "NAME_UNKNOWN");
  const size = Number(url.searchParams.get("n") ?? 1000);
  const last = url.searchParams.get("last") ?? "";
  const rest = all.sort().filter((tag) => tag > last);
  const tags = rest.slice(0, size);
  const next = `</v2/${name}/tags/list?n=${size}&last=${tags.at(-1)}>; rel="next"`;
  response.writeHead(200, rest.length > tags.length ? { link: next } : {}).end(JSON.stringify({ name, tags }));
}

async function serveManifest(
  request: IncomingMessage,
  response: ServerResponse,
  { manifests, name, rest }: Parameters<Route>[2],
): Promise<void> {
  const key = rest.startsWith("sha256:") ? `${name}@${rest}` : `${name}:${rest}`;
  if (request.method === "PUT") {
    const content = await bodyOf(request);
    const digest = digestOf(content);
    const manifest = { type: request.headers["content-type"] ?? "", content };
    manifests.set(key, manifest).set(`${name}@${digest}`, manifest);
    response.writeHead(201, { location: `/v2/${name}/manifests/${digest}`, "docker-content-digest": digest }).end();
    return;
  }
  const found = manifests.get(key);
  if (found === undefined) return refuse(response, 404, "MANIFEST_UNKNOWN");
  const headers = { "content-type": found.type, "docker-content-digest": digestOf(found.content) };
  send(request, response, { headers, content: found.content });
}

async function serveBlob(
  request: IncomingMessage,
  response: ServerResponse,
  { blobs, rest }: Parameters<Route>[2],
): Promise<void> {
  const content = blobs.get(rest);
  if (content === undefined) return refuse(response, 404, "BLOB_UNKNOWN");
  send(request, response, { headers: { "docker-content-digest": rest }, content });
}

/** POST starts an upload, PATCH appends to it, PUT completes it; POST and PUT may contain the whole content. */
async function serveUpload(
  request: IncomingMessage,
  response: ServerResponse,
  { blobs, uploads, url, name, rest }: Parameters<Route>[2],
): Promise<void> {
  const id = request.method === "POST" ? randomUUID() : rest;
  const before = request.method === "POST" ? Buffer.alloc(0) : uploads.get(id);
  if (before === undefined) return refuse(response, 404, "BLOB_UPLOAD_UNKNOWN");
  const content = Buffer.concat([before, await bodyOf(request)]);
  const digest = url.searchParams.get("digest");
  uploads.set(id, content);
  const location = `/v2/${name}/blobs/uploads/${id}`;
  if (digest === null) {
    const range = `0-${Math.max(0, content.length - 1)}`;
    response.writeHead(202, { location, range, "docker-upload-uuid": id }).end();
    return;
  }
  uploads.delete(id);
  if (digest !== digestOf(content)) return refuse(response, 400, "DIGEST_INVALID");
  blobs.set(digest, content);
  response.writeHead(201, { location: `/v2/${name}/blobs/${digest}`, "docker-content-digest": digest }).end();
}

function giveToken(
  request: IncomingMessage,
  response: ServerResponse,
  { options, tokens }: { readonly options: OciRegistryOptions; readonly tokens: Set<string> },
): void {
  if (!isAdmitted(request, options)) return refuse(response, 401, "UNAUTHORIZED");
  const token = randomUUID();
  tokens.add(token);
  response.writeHead(200).end(JSON.stringify({ token, expires_in: 60 }));
}

function mayEnter(request: IncomingMessage, options: OciRegistryOptions, tokens: ReadonlySet<string>): boolean {
  if (options.credentials === undefined || options.auth !== "bearer") return isAdmitted(request, options);
  return tokens.has((request.headers.authorization ?? "").replace(/^Bearer /, ""));
}

function challenge(request: IncomingMessage, response: ServerResponse, { auth, realm, tls }: OciRegistryOptions): void {
  const own = `${tls === true ? "https" : "http"}://${request.headers.host}/token`;
  const bearer = `Bearer realm="${realm ?? own}",service="registry",scope="repository:anything:pull,push"`;
  response.setHeader("www-authenticate", auth === "bearer" ? bearer : 'Basic realm="registry"');
  refuse(response, 401, "UNAUTHORIZED");
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  { headers, content }: { readonly headers: Readonly<Record<string, string>>; readonly content: Buffer },
): void {
  response.writeHead(200, { ...headers, "content-length": content.length });
  response.end(request.method === "HEAD" ? undefined : content);
}

function refuse(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify({ errors: [{ code }] }));
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}
