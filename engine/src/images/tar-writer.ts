import { Bug, Conflict, InvalidInput } from "@butler/std";
import { constants } from "node:fs";
import { pipeline } from "node:stream/promises";
import { type Header, pack, type Pack } from "tar-stream";

/** One entry of a tar archive; paths are relative and have no trailing slash. */
export type TarEntry = TarFile | TarDirectory | TarSymlink;

/** A file whose content is read only when it is written. */
export interface TarFile {
  readonly type: "file";
  readonly path: string;
  readonly mode: number;
  readonly size: number;
  /** Changes whenever the content does; undefined if the content itself is quick to read. */
  readonly stamp?: string;
  readonly read: () => AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/** A directory. */
export interface TarDirectory {
  readonly type: "directory";
  readonly path: string;
  readonly mode: number;
}

/** A symbolic link; its target is stored unchanged. */
export interface TarSymlink {
  readonly type: "symlink";
  readonly path: string;
  readonly target: string;
}

const epoch = new Date(0);
/** The bits of a mode that state the type of an entry. */
const typeBits = { file: constants.S_IFREG, directory: constants.S_IFDIR, symlink: constants.S_IFLNK } as const;

/** Yields a tar archive with entries in the given order. Owner and time are zero, so the bytes depend only on the entries. */
export async function* writeTar(entries: Iterable<TarEntry>): AsyncGenerator<Uint8Array> {
  const archive = pack();
  const filling = fill(archive, entries).catch((error: Error) => archive.destroy(error));
  yield* archive as AsyncIterable<Uint8Array>;
  await filling;
}

/** The header of a file whose content is written separately. */
export async function tarFileHeader(path: string, size: number): Promise<Uint8Array> {
  const archive = pack();
  archive.entry(headerOf({ type: "file", path, mode: 0o644, size, read: () => [] }));
  // The first block is the whole header, as long as the path is short.
  for await (const header of archive as AsyncIterable<Uint8Array>) return header;
  throw new Bug(`${path} has no header`);
}

async function fill(archive: Pack, entries: Iterable<TarEntry>): Promise<void> {
  for (const entry of entries) {
    const sink = archive.entry(headerOf(entry));
    if (entry.type === "file") await pipeline(contentOf(entry), sink);
  }
  archive.finalize();
}

function headerOf(entry: TarEntry): Partial<Header> & Pick<Header, "name"> {
  const { type, path } = entry;
  const target = type === "symlink" ? entry.target : "";
  if (path === "" || `${path}${target}`.includes("\0"))
    throw new InvalidInput(`"${path}" is not a valid path in an archive`);
  const common = { mode: typeBits[type] | (type === "symlink" ? 0o777 : entry.mode), mtime: epoch };
  if (type === "directory") return { ...common, name: `${path}/` };
  return type === "file" ? { ...common, name: path, size: entry.size } : { ...common, name: path, linkname: target };
}

async function* contentOf({ path, size, read }: TarFile): AsyncGenerator<Uint8Array> {
  let written = 0;
  for await (const chunk of read()) {
    written += chunk.length;
    if (written > size) break;
    yield chunk;
  }
  if (written !== size) throw new Conflict(`${path} changed size while it was being archived`);
}
