import { BadArchive, decode, parseExtendedHeader, parseSize, parseTarHeader, type TarHeader } from "./tar-header.ts";

/** An entry of an archive, with its effective name. */
export interface TarEntry {
  readonly kind: "file" | "folder" | "link";
  readonly name: string;
  readonly size: number;
  /** The content, if requested. */
  readonly content: Buffer | undefined;
}

const blockSize = 512;
const largestExtensionBytes = 64 * 1024;

/** Name and size from extension headers before an entry. */
interface Extensions {
  readonly name?: string;
  readonly size?: number;
}

/**
 * Reads a tar archive from a stream, strictly, and like Go's reader where readers differ, because Helm is written in Go. The
 * content of an entry is kept only when wanted; everything else is skipped.
 */
export async function* readTar(
  source: AsyncIterable<Buffer>,
  isWanted: (entry: Omit<TarEntry, "content">) => boolean,
): AsyncGenerator<TarEntry> {
  const bytes = new ByteReader(source);
  try {
    let extensions: Extensions = {};
    for (;;) {
      const header = parseTarHeader(await bytes.take(blockSize));
      if (header === undefined) break;
      if (header.kind === "file" || header.kind === "folder" || header.kind === "link") {
        yield await readEntry(bytes, { ...header, kind: header.kind, ...extensions }, isWanted);
        extensions = {};
      } else extensions = extended(extensions, header.kind, await readExtension(bytes, header));
    }
    if (Object.keys(extensions).length > 0) throw new BadArchive("ends unexpectedly");
    await bytes.drain();
  } finally {
    await bytes.close();
  }
}

async function readEntry(
  bytes: ByteReader,
  entry: Omit<TarEntry, "content">,
  isWanted: (entry: Omit<TarEntry, "content">) => boolean,
): Promise<TarEntry> {
  // Readers disagree on whether such content exists.
  if (entry.kind !== "file" && entry.size > 0) throw new BadArchive("contains a folder or link with content");
  const content = isWanted(entry) ? await bytes.take(entry.size) : await bytes.skip(entry.size);
  await bytes.skip(paddingOf(entry.size));
  return { ...entry, content };
}

async function readExtension(bytes: ByteReader, { size }: TarHeader): Promise<Buffer> {
  if (size > largestExtensionBytes) throw new BadArchive("has a header that is too large");
  const content = await bytes.take(size);
  await bytes.skip(paddingOf(size));
  return content;
}

/** Rejects two names for one entry: different readers could see different archives. */
function extended(before: Extensions, kind: TarHeader["kind"], content: Buffer): Extensions {
  // Applies to all entries behind it, but Go's reader does not mind it either. Git writes one with a comment.
  if (kind === "global") return before;
  const after = extensionsIn(kind, content);
  const isTwice = (Object.keys(after) as (keyof Extensions)[]).some((key) => before[key] !== undefined);
  if (isTwice) throw new BadArchive("has more than one name or size for the same entry");
  return { ...before, ...after };
}

function extensionsIn(kind: TarHeader["kind"], content: Buffer): Extensions {
  if (kind === "longName") return { name: decode(content).replace(/\0+$/, "") };
  // Link targets are irrelevant, because links are rejected.
  if (kind === "longLink") return {};
  const records = parseExtendedHeader(content);
  const [name, size] = [records.get("path"), records.get("size")];
  return { ...(name === undefined ? {} : { name }), ...(size === undefined ? {} : { size: parseSize(size) }) };
}

function paddingOf(size: number): number {
  return (blockSize - (size % blockSize)) % blockSize;
}

/** Reads exact numbers of bytes from a stream of chunks. */
class ByteReader {
  readonly #iterator: AsyncIterator<Buffer>;
  #piece: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Buffer>) {
    this.#iterator = source[Symbol.asyncIterator]();
  }

  async take(size: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    for (let missing = size; missing > 0;) {
      const part = await this.#upTo(missing);
      parts.push(part);
      missing -= part.length;
    }
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts);
  }

  async skip(size: number): Promise<undefined> {
    for (let missing = size; missing > 0;) missing -= (await this.#upTo(missing)).length;
  }

  /** Reads the rest, so that limits apply to the whole stream. */
  async drain(): Promise<void> {
    while ((await this.#iterator.next()).done !== true);
  }

  /** Closes the source when it was not read completely. */
  async close(): Promise<void> {
    await this.#iterator.return?.();
  }

  async #upTo(size: number): Promise<Buffer> {
    while (this.#piece.length === 0) {
      const next = await this.#iterator.next();
      if (next.done === true) throw new BadArchive("ends unexpectedly");
      this.#piece = next.value;
    }
    const part = this.#piece.subarray(0, size);
    this.#piece = this.#piece.subarray(part.length);
    return part;
  }
}
