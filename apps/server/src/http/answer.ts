import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { constants, gzip } from "node:zlib";
import { remembered } from "./remembered.ts";

const compress = promisify(gzip);

/** Smaller answers are not worth the work. */
const smallestToCompress = 1_024;

/** An answer whose JSON is put together already. */
export class JsonText {
  readonly bytes: Buffer;
  /** The same for the same text; worked out from the text where nobody knows it. */
  readonly mark: string | undefined;
  #packed: Promise<Buffer> | undefined;

  constructor(content: string | Buffer, mark?: string) {
    this.bytes = typeof content === "string" ? Buffer.from(content) : content;
    this.mark = mark;
  }

  get text(): string {
    return this.bytes.toString();
  }

  /** The compressed bytes; worked out once, however often they are sent. */
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
 * Pages of lists, put together of entries that are JSON already: nothing of them is written or looked at again. The
 * latest pages are kept, since people look at the same ones, and a page's worth of new memory for each request costs more
 * than everything else about it.
 */
export class Pages {
  readonly #most: number;
  /** By their marks, the one that was not asked for longest first. */
  readonly #kept = new Map<string, JsonText>();
  #size = 0;

  /** Keeps at most so many bytes. */
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
    // Set anew, so that it is the last to go.
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

/** Keeps the JSON of each object for as long as the object is kept: what has not changed is not written twice. */
export function cachedJson<T extends object>(view: (object: T) => unknown): (object: T) => JsonPart {
  return remembered((object) => {
    const text = JSON.stringify(view(object));
    return { bytes: Buffer.from(text), mark: markOf(text) };
  });
}

/** What is sent as an answer. */
export function contentOf(body: unknown, contentType: string): string | Buffer {
  if (body instanceof JsonText) return body.bytes;
  return contentType === "application/json" ? JSON.stringify(body) : String(body);
}

/** A mark that is the same for the same answer. */
export function etagOf(body: unknown, content: string | Buffer): string {
  return `W/"${(body instanceof JsonText ? body.mark : undefined) ?? markOf(content)}"`;
}

function markOf(content: string | Buffer): string {
  return createHash("sha256").update(content).digest("base64url");
}

/** Whether the caller has this very answer already (RFC 9110, section 13.1.2). */
export function isKnown(etag: string, ifNoneMatch: string | undefined): boolean {
  return (ifNoneMatch ?? "").split(",").some((mark) => mark.trim() === etag);
}

/** The compressed answer; undefined when it goes out as it is. */
export async function compressed(
  body: unknown,
  { content, acceptEncoding }: { readonly content: string | Buffer; readonly acceptEncoding: string | undefined },
): Promise<Buffer | undefined> {
  if (content.length < smallestToCompress || !/\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:,|$))/.test(acceptEncoding ?? "")) {
    return undefined;
  }
  return body instanceof JsonText ? body.packed() : pack(content);
}
