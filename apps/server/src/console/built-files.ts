import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { extname, join, relative, sep } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { describeError, InvalidInput } from "@butler/std";

/** Content encodings of a file. */
export type Encoding = "br" | "gzip";

/** A file of the built console. */
export interface BuiltFile {
  readonly bytes: Buffer;
  readonly type: string;
  readonly etag: string;
  /** Whether its name contains a hash of its content, so that browsers can cache it forever. */
  readonly isHashed: boolean;
  /** The compressed file; undefined if compression gains nothing. Computed once, on first use. */
  packed(encoding: Encoding): Promise<Buffer> | undefined;
}

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".json": "application/json",
  ".woff2": "font/woff2",
  ".png": "image/png",
};

const worthPacking: ReadonlySet<string> = new Set([".html", ".js", ".css", ".svg", ".json"]);
const packers = {
  br: (bytes: Buffer) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: (bytes: Buffer) => promisify(gzip)(bytes, { level: 9 }),
} as const;

/** Reads the built console into memory, by request path. */
export async function readBuiltFiles(folder: string): Promise<ReadonlyMap<string, BuiltFile>> {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    const files = await Promise.all(paths.map(async (path) => [urlOf(folder, path), await read(path)] as const));
    const found = new Map(files);
    if (!found.has("/index.html")) throw new InvalidInput("index.html not found");
    return found;
  } catch (error) {
    throw new InvalidInput(`failed to load the console from ${folder}: ${describeError(error)}`, {
      cause: error,
      hint: "Build the console with `npm run build -w apps/console`, or start the server without it.",
    });
  }
}

function urlOf(folder: string, path: string): string {
  return `/${relative(folder, path).split(sep).join("/")}`;
}

async function read(path: string): Promise<BuiltFile> {
  const bytes = await readFile(path);
  const extension = extname(path);
  const made = new Map<Encoding, Promise<Buffer>>();
  return {
    bytes,
    type: types[extension] ?? "application/octet-stream",
    etag: `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`,
    isHashed: /-[\w-]{8}\.\w+$/.test(path) && path.split(sep).includes("assets"),
    packed: (encoding) => {
      if (!worthPacking.has(extension)) return undefined;
      const known = made.get(encoding) ?? packers[encoding](bytes);
      made.set(encoding, known);
      return known;
    },
  };
}
