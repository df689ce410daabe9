import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { promisify } from "node:util";
import { createGunzip, gzip } from "node:zlib";
import { readTar } from "@butler/helm";
import { describeError, InvalidInput } from "@butler/std";
import { pack } from "tar-stream";

/** A file of an archive. */
export interface ArchiveFile {
  readonly path: string;
  readonly content: Buffer;
}

const compress = promisify(gzip);
/** Limits far above the size of any archive that Butler writes. */
const limits = { file: 64 * 1024 * 1024, files: 200_000, total: 2 * 1024 * 1024 * 1024 };

const tooLarge = new InvalidInput(
  `the archive exceeds the limit of ${limits.files} files or ${limits.total / 1024 ** 3} GiB`,
  { hint: "Nothing was changed. Use an archive that Butler wrote." },
);

/** Packs files into a compressed tar archive. */
export async function packFiles(files: readonly ArchiveFile[], madeAt: Date): Promise<Buffer> {
  const archive = pack();
  // Readable only by the user who unpacks it.
  for (const { path, content } of files) archive.entry({ name: path, mode: 0o600, mtime: madeAt }, content);
  archive.finalize();
  return compress(await buffer(archive));
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
      if (files.length >= limits.files || total > limits.total) throw tooLarge;
      files.push({ path: entry.name, content: entry.content });
    }
    return files;
  } catch (error) {
    if (error === tooLarge) throw tooLarge;
    throw new InvalidInput(`the archive is damaged or truncated: ${describeError(error)}`, {
      hint: "Nothing was changed. Use another copy of the file.",
    });
  } finally {
    unzip.destroy();
  }
}
