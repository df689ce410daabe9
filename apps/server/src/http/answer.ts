import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { constants, gzip } from "node:zlib";
import { negotiate } from "@fastify/accept-negotiator";
import { remembered } from "./remembered.ts";

const compress = promisify(gzip);

/** Smaller responses are not compressed. */
const smallestToCompress = 1_024;

/** A response whose JSON is already serialized. */
export class JsonText {
  readonly bytes: Buffer;
  /** The ETag mark: equal for equal text; computed from the text if not given. */
  readonly mark: string | undefined;
  #packed: Promise<Buffer> | undefined;

  constructor(content: string | Buffer, mark?: string) {
    this.bytes = typeof content === "string" ? Buffer.from(content) : content;
    this.mark = mark;
  }

  get text(): string {
    return this.bytes.toString();
  }

  /** The compressed bytes, computed once. */
  packed(): Promise<Buffer> {
    this.#packed ??= pack(this.bytes);
    return this.#packed;
  }
}

function pack(content: string | Buffer): Promise<Buffer> {
  return compress(content, { level: constants.Z_BEST_SPEED });
}

/** The JSON of an entry of a list, and a mark that is the same for the same JSON. */
export interface JsonPart {
  readonly bytes: Buffer;
  readonly mark: string;
}

/**
 * Pages of lists, assembled from serialized entries without parsing them again. The latest pages are cached, since
 * users view the same ones, and allocating a page for each request costs more than everything else about it.
 */
export class Pages {
  readonly #most: number;
  /** By their marks, least recently used first. */
  readonly #kept = new Map<string, JsonText>();
  #size = 0;

  /** Maximum size in bytes. */
  constructor(most = 32 * 2 ** 20) {
    this.#most = most;
  }

  page(key: string, parts: readonly JsonPart[], rest: Readonly<Record<string, unknown>>): JsonText {
    const tail = JSON.stringify(rest).slice(1);
    const mark = markOf([key, ...parts.map((part) => part.mark), tail].join("\n"));
    const page = this.#kept.get(mark) ?? new JsonText(joined(key, parts, tail), mark);
    this.#keep(mark, page);
    return page;
  }

  #keep(mark: string, page: JsonText): void {
    // Reinsert, so that it is evicted last.
    if (this.#kept.delete(mark)) this.#size -= page.bytes.length;
    this.#kept.set(mark, page);
    this.#size += page.bytes.length;
    for (const [oldest, { bytes }] of this.#kept) {
      if (this.#size <= this.#most) return;
      this.#kept.delete(oldest);
      this.#size -= bytes.length;
    }
  }
}

function joined(key: string, parts: readonly JsonPart[], tail: string): Buffer {
  const between = Buffer.from(",");
  const pieces = parts.flatMap(({ bytes }, at) => (at === 0 ? [bytes] : [between, bytes]));
  return Buffer.concat([Buffer.from(`{${JSON.stringify(key)}:[`), ...pieces, Buffer.from(`],${tail}`)]);
}

/** Caches the JSON of each object for as long as the object lives, so that unchanged objects are serialized once. */
export function cachedJson<T extends object>(view: (object: T) => unknown): (object: T) => JsonPart {
  return remembered((object) => {
    const text = JSON.stringify(view(object));
    return { bytes: Buffer.from(text), mark: markOf(text) };
  });
}

/** The bytes of a response. */
export function contentOf(body: unknown, contentType: string): string | Buffer {
  if (body instanceof JsonText) return body.bytes;
  return contentType === "application/json" ? JSON.stringify(body) : String(body);
}

/** The ETag of a response. */
export function etagOf(body: unknown, content: string | Buffer): string {
  return `W/"${(body instanceof JsonText ? body.mark : undefined) ?? markOf(content)}"`;
}

function markOf(content: string | Buffer): string {
  return createHash("sha256").update(content).digest("base64url");
}

/** Whether the caller already has this response (RFC 9110, section 13.1.2). */
export function isKnown(etag: string, ifNoneMatch: string | undefined): boolean {
  return (ifNoneMatch ?? "").split(",").some((mark) => mark.trim() === etag);
}

/** The compressed response; undefined if it is sent uncompressed. */
export async function compressed(
  body: unknown,
  { content, acceptEncoding }: { readonly content: string | Buffer; readonly acceptEncoding: string | undefined },
): Promise<Buffer | undefined> {
  if (content.length < smallestToCompress || negotiate(acceptEncoding ?? "", ["gzip"]) === null) return undefined;
  return body instanceof JsonText ? body.packed() : pack(content);
}
