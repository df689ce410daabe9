import { NotFound, Unavailable } from "@butler/std";

const blockSize = 512;

/** The member to extract from a tar stream. */
export interface TarMember {
  readonly name: string;
  readonly limitBytes: number;
}

/**
 * Yields the content of one member of a tar stream (POSIX ustar). Every other entry is skipped by its size, including
 * the extension headers of pax and GNU tar; a member whose own name needs such a header is not found.
 */
export async function* readTarMember(stream: AsyncIterable<Buffer>, member: TarMember): AsyncGenerator<Buffer> {
  const reader = new BlockReader(stream);
  for (;;) {
    const header = await reader.read(blockSize);
    if (header === undefined || header[0] === 0) throw new NotFound(`the archive does not contain ${member.name}`);
    const { name, size, isFile } = parseHeader(header);
    const isWanted = isFile && name === member.name;
    if (isWanted && size > member.limitBytes)
      throw new Unavailable(`${name} is larger than ${member.limitBytes} bytes`);
    for (let left = size; left > 0;) {
      const chunk = await reader.readSome(left);
      if (chunk === undefined) throw new Unavailable(`the archive is truncated within ${name}`);
      left -= chunk.length;
      if (isWanted) yield chunk;
    }
    if (isWanted) return reader.drain();
    await reader.read((blockSize - (size % blockSize)) % blockSize);
  }
}

function parseHeader(header: Buffer): { name: string; size: number; isFile: boolean } {
  const text = (from: number, to: number): string => header.toString("utf8", from, to).replace(/\0.*$/s, "");
  const size = Number.parseInt(text(124, 136).trim() || "0", 8);
  if (!Number.isSafeInteger(size) || size < 0) throw new Unavailable("the archive is not a tar file");
  const prefix = text(257, 262) === "ustar" ? text(345, 500) : "";
  const name = (prefix === "" ? "" : `${prefix}/`) + text(0, 100);
  return { name: name.replace(/^\.\//, ""), size, isFile: ["0", ""].includes(text(156, 157)) };
}

/** Returns a stream's bytes in pieces of the requested size. */
class BlockReader {
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(stream: AsyncIterable<Buffer>) {
    this.#chunks = stream[Symbol.asyncIterator]();
  }

  /** Between 1 and `most` bytes; undefined at the end. */
  async readSome(most: number): Promise<Buffer | undefined> {
    while (this.#rest.length === 0) {
      const next = await this.#chunks.next();
      if (next.done === true) return undefined;
      this.#rest = next.value;
    }
    const piece = this.#rest.subarray(0, most);
    this.#rest = this.#rest.subarray(piece.length);
    return piece;
  }

  /** Reads to the end, so that the underlying stream closes properly and verifies its checksum. */
  async drain(): Promise<void> {
    while ((await this.readSome(1 << 20)) !== undefined);
  }

  /** Exactly `count` bytes; undefined when the stream ends before. */
  async read(count: number): Promise<Buffer | undefined> {
    const pieces: Buffer[] = [];
    for (let left = count; left > 0;) {
      const piece = await this.readSome(left);
      if (piece === undefined) return undefined;
      pieces.push(piece);
      left -= piece.length;
    }
    return Buffer.concat(pieces);
  }
}
