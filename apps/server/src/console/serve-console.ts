import { negotiate } from "@fastify/accept-negotiator";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type BuiltFile, type Encoding, readBuiltFiles } from "./built-files.ts";

/** Pages load nothing from other origins, run no inline scripts, and cannot be framed. */
const policy =
  "default-src 'self'; connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/** Cache lifetime of immutable files in seconds: a year. */
const longest = 31_536_000;

/**
 * Serves the built console for every path that is not the API's. A path that is not a file is a page of the console,
 * and gets index.html.
 */
export async function serveConsole(app: FastifyInstance, folder: string, publicUrl = ""): Promise<void> {
  const files = await readBuiltFiles(folder);
  const headers = headersAt(publicUrl);
  app.get("/*", async (request, reply) => {
    const path = pathOf(request.url);
    const file = path === undefined ? undefined : fileFor(files, path);
    if (file === undefined) {
      reply.callNotFound();
      return reply;
    }
    void reply.headers(headers);
    return send(request, reply, file);
  });
}

/** Headers of every page. The last one applies only in secure contexts; elsewhere browsers log a warning. */
function headersAt(publicUrl: string): Readonly<Record<string, string>> {
  return {
    "content-security-policy": policy,
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    ...(publicUrl.startsWith("http:") ? {} : { "cross-origin-opener-policy": "same-origin" }),
  };
}

/** The file for a path; undefined for paths of the API, and for files of an older console. */
export function fileFor(files: ReadonlyMap<string, BuiltFile>, path: string): BuiltFile | undefined {
  if (/^\/(?:api|assets)(?:\/|$)/.test(path)) return files.get(path);
  return files.get(path) ?? files.get("/index.html");
}

async function send(request: FastifyRequest, reply: FastifyReply, file: BuiltFile): Promise<FastifyReply> {
  void reply.headers({
    "cache-control": file.isHashed ? `public, max-age=${longest}, immutable` : "no-cache",
    etag: file.etag,
    vary: "accept-encoding",
  });
  if (request.headers["if-none-match"] === file.etag) return reply.code(304).send();
  const encoding = encodingFor(request.headers["accept-encoding"]);
  const packed = encoding === undefined ? undefined : await file.packed(encoding);
  if (packed !== undefined) void reply.header("content-encoding", encoding);
  return reply.type(file.type).send(packed ?? file.bytes);
}

/** The best content encoding that a browser accepts. */
export function encodingFor(accepted: string | readonly string[] | undefined): Encoding | undefined {
  const text = typeof accepted === "string" ? accepted : (accepted ?? []).join(",");
  return negotiate<Encoding>(text, ["br", "gzip"]) ?? undefined;
}

function pathOf(url: string): string | undefined {
  const text = url.split(/[?#]/)[0] ?? "/";
  try {
    return decodeURIComponent(text);
  } catch {
    // Not a valid path.
    return undefined;
  }
}
