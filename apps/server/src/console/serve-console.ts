import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type BuiltFile, type Encoding, readBuiltFiles } from "./built-files.ts";

/** Pages load nothing from elsewhere, run nothing that is written into them, and are shown in nobody's frame. */
const policy =
  "default-src 'self'; connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/** How long a browser may keep what never changes, in seconds: a year. */
const longest = 31_536_000;

/**
 * Serves the built console for every path that is not the API's. A path that is no file is a page of the console, and
 * gets the one page from which all of them are made.
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

/** What every page is sent with. Browsers take the last one only where pages come safely, and complain elsewhere. */
function headersAt(publicUrl: string): Readonly<Record<string, string>> {
  return {
    "content-security-policy": policy,
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    ...(publicUrl.startsWith("http:") ? {} : { "cross-origin-opener-policy": "same-origin" }),
  };
}

/** The file for a path; undefined for what is not there: paths of the API, and files that an older console had. */
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

/** The best way of sending that a browser takes. */
export function encodingFor(accepted: string | readonly string[] | undefined): Encoding | undefined {
  const text = typeof accepted === "string" ? accepted : (accepted ?? []).join(",");
  const names = text
    .split(",")
    .filter((part) => !/;\s*q=0(?:\.0*)?\s*$/.test(part))
    .map((part) => part.split(";")[0]?.trim());
  return (["br", "gzip"] as const).find((name) => names.includes(name));
}

function pathOf(url: string): string | undefined {
  const text = url.split(/[?#]/)[0] ?? "/";
  try {
    return decodeURIComponent(text);
  } catch {
    // Not a path that anybody could have written.
    return undefined;
  }
}
