import { InvalidInput } from "@butler/std";
import { createHash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { tarFileHeader } from "./tar-writer.ts";

/** Identifies a blob: its SHA-256 and its size. */
export interface Blob {
  readonly digest: string;
  readonly size: number;
}

const writeBytes = 1 << 20;
/** Headers and contents fill whole blocks. */
const blockBytes = 512;
const largestBlobBytes = 8 ** 11 - 1;

/**
 * A tar archive of content-addressed blobs, written sequentially. A blob's header contains its digest, so space is
 * reserved for the header, the content is streamed after it, and the header is filled in afterwards: nothing is
 * buffered or written twice, whatever its size.
 */
export class ArchiveFile {
  readonly #file: FileHandle;
  readonly #blobs = new Set<string>();
  #position = 0;
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  /** Writes a blob under its digest, unless it is already written. */
  async addBlob(content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<Blob> {
    const start = this.#position;
    const hash = createHash("sha256");
    let size = 0;
    await this.#append(Buffer.alloc(blockBytes));
    for await (const chunk of content) {
      hash.update(chunk);
      size += chunk.length;
      if (size > largestBlobBytes) throw new InvalidInput("an image layer cannot be larger than 8 GiB");
      await this.#append(chunk);
    }
    await this.#append(paddingOf(size));
    await this.#flush();
    const digest = hash.digest("hex");
    if (this.#blobs.has(digest)) this.#position = start;
    else await this.#write(await tarFileHeader(`blobs/sha256/${digest}`, size), start);
    this.#blobs.add(digest);
    return { digest: `sha256:${digest}`, size };
  }

  /** Writes a small file next to the blobs. */
  async addFile(path: string, text: string): Promise<void> {
    const content = Buffer.from(text);
    await this.#append(await tarFileHeader(path, content.length));
    await this.#append(content);
    await this.#append(paddingOf(content.length));
  }

  /** Finishes the archive and waits until it is on disk. */
  async finish(): Promise<void> {
    // Two empty blocks end an archive.
    await this.#append(Buffer.alloc(2 * blockBytes));
    await this.#flush();
    // A blob that turned out to be a duplicate may have been longer than the data that replaced it.
    await this.#file.truncate(this.#position);
    await this.#file.datasync();
  }

  /** Buffers small pieces, since a system call for each would take longer than copying. */
  async #append(chunk: Uint8Array): Promise<void> {
    this.#pending.push(chunk);
    this.#pendingBytes += chunk.length;
    if (this.#pendingBytes >= writeBytes) await this.#flush();
  }

  async #flush(): Promise<void> {
    const [first, second] = this.#pending;
    if (first === undefined) return;
    await this.#write(second === undefined ? first : Buffer.concat(this.#pending), this.#position);
    this.#position += this.#pendingBytes;
    this.#pending = [];
    this.#pendingBytes = 0;
  }

  async #write(bytes: Uint8Array, position: number): Promise<void> {
    for (let done = 0; done < bytes.length;) {
      done += (await this.#file.write(bytes, done, bytes.length - done, position + done)).bytesWritten;
    }
  }
}

/** Fills the last block of a content. */
function paddingOf(size: number): Buffer {
  return Buffer.alloc((blockBytes - (size % blockBytes)) % blockBytes);
}
