import { Readable } from "node:stream";
import { promisify } from "node:util";
import { createGunzip, gzip } from "node:zlib";
import { readTar } from "@butler/helm";
import { describeError, InvalidInput } from "@butler/std";

/** A file of an archive. */
export interface ArchiveFile {
  readonly path: string;
  readonly content: Buffer;
}

const compress = promisify(gzip);
const blockSize = 512;
/** Maximum length of a path in a ustar header. */
const longestPath = 100;
/** Limits far above the size of any archive that Butler writes. */
const limits = { file: 64 * 1024 * 1024, files: 200_000, total: 2 * 1024 * 1024 * 1024 };

/** Packs files into a compressed tar archive (POSIX 1003.1, "ustar Interchange Format"). */
export async function packFiles(files: readonly ArchiveFile[], madeAt: Date): Promise<Buffer> {
  const blocks = files.flatMap(({ path, content }) => [
    headerOf(path, content.length, madeAt),
    content,
    paddingOf(content),
  ]);
  return compress(Buffer.concat([...blocks, Buffer.alloc(2 * blockSize)]));
}

function paddingOf(content: Buffer): Buffer {
  return Buffer.alloc((blockSize - (content.length % blockSize)) % blockSize);
}

function headerOf(path: string, size: number, madeAt: Date): Buffer {
  if (Buffer.byteLength(path) > longestPath) throw new InvalidInput(`the path ${path} is too long for an archive`);
  const block = Buffer.alloc(blockSize);
  const octal = (value: number, digits: number): string => `${value.toString(8).padStart(digits, "0")}\0`;
  block.write(path, 0);
  // Readable only by the user who unpacks it.
  block.write(octal(0o600, 7), 100);
  block.write(octal(0, 7), 108);
  block.write(octal(0, 7), 116);
  block.write(octal(size, 11), 124);
  block.write(octal(Math.floor(madeAt.getTime() / 1000), 11), 136);
  block.write("        ", 148);
  block.write("0", 156);
  block.write("ustar\u000000", 257);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return block;
}

/** Unpacks a compressed tar archive of regular files; rejects damaged and truncated archives, and other file types. */
export async function unpackFiles(packed: Buffer): Promise<ArchiveFile[]> {
  const files: ArchiveFile[] = [];
  const unzip = createGunzip();
  const source = Readable.from([packed]);
  source.on("error", (error) => unzip.destroy(error));
  let total = 0;
  try {
    for await (const entry of readTar(source.pipe(unzip), ({ kind, size }) => kind === "file" && size <= limits.file)) {
      total += entry.size;
      if (entry.content === undefined) throw new Error(`${entry.name} is not a regular file or is too large`);
      if (files.length >= limits.files || total > limits.total) throw new Error("too many files or too much data");
      files.push({ path: entry.name, content: entry.content });
    }
    return files;
  } catch (error) {
    throw new InvalidInput(`the archive is damaged or truncated: ${describeError(error)}`, {
      hint: "Nothing was changed. Use another copy of the file.",
    });
  } finally {
    unzip.destroy();
  }
}
