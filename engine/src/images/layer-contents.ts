import { InvalidInput, NotFound } from "@butler/std";
import { createReadStream, type Stats } from "node:fs";
import { lstat, readdir, readlink, stat } from "node:fs/promises";
import { join, posix } from "node:path";
import type { LayerEntry, SourceFile, Tree } from "./layer-entry.ts";
import type { TarEntry, TarFile } from "./tar-writer.ts";

const readChunkBytes = 1 << 20;

/**
 * Resolves the entries of each layer to tar entries, sorted by path, with their parent directories. Layers are given
 * from the lowest to the highest: an upper layer that only adds children to a directory keeps its mode.
 */
export async function readLayers(layers: readonly (readonly LayerEntry[])[]): Promise<TarEntry[][]> {
  const below = new Map<string, TarEntry>();
  const contents: TarEntry[][] = [];
  for (const layer of layers) {
    const entries = await readLayer(layer, below);
    for (const [path, entry] of entries) below.set(path, entry);
    contents.push([...entries.values()].sort((left, right) => (left.path < right.path ? -1 : 1)));
  }
  return contents;
}

type Entries = ReadonlyMap<string, TarEntry>;

async function readLayer(layer: readonly LayerEntry[], below: Entries): Promise<Map<string, TarEntry>> {
  const entries = new Map<string, TarEntry>();
  for (const entry of layer) {
    for (const found of await readEntry(entry)) {
      refuseRepetition(found, entries.get(found.path));
      entries.set(found.path, found);
    }
  }
  for (const path of entries.keys()) addParents(path, entries, below);
  return entries;
}

/** Duplicate directories are allowed. */
function refuseRepetition(entry: TarEntry, earlier: TarEntry | undefined): void {
  if (earlier === undefined) return;
  const isSameDirectory = earlier.type === "directory" && entry.type === "directory" && earlier.mode === entry.mode;
  if (!isSameDirectory) throw new InvalidInput(`duplicate path in the layer: /${entry.path}`);
}

function addParents(path: string, entries: Map<string, TarEntry>, below: Entries): void {
  for (let parent = posix.dirname(path); parent !== "."; parent = posix.dirname(parent)) {
    const known = entries.get(parent) ?? below.get(parent);
    if (known !== undefined && known.type !== "directory") {
      throw new InvalidInput(`cannot place /${path} below /${parent}, which is a ${known.type}`, {
        hint: "Use the link's target path.",
      });
    }
    entries.set(parent, known ?? { type: "directory", path: parent, mode: 0o755 });
  }
}

async function readEntry(entry: LayerEntry): Promise<TarEntry[]> {
  const path = insidePath(entry.path);
  switch (entry.kind) {
    case "source-file":
      return [await sourceFile(entry, path)];
    case "inline-file": {
      const content = Buffer.from(entry.content);
      return [{ type: "file", path, mode: entry.mode, size: content.length, read: () => [content] }];
    }
    case "directory":
      return [{ type: "directory", path, mode: entry.mode }];
    case "symlink":
      return [{ type: "symlink", path, target: entry.target }];
    case "tree":
      return readTree(entry, path);
  }
}

/** The path as stored in an archive; paths that could escape from the image are rejected. */
function insidePath(path: string): string {
  if (!path.startsWith("/") || posix.normalize(path) !== path || path.endsWith("/"))
    throw new InvalidInput(`"${path}" is not an absolute, normalized path below the image root`);
  return path.slice(1);
}

async function sourceFile({ source, mode }: SourceFile, path: string): Promise<TarFile> {
  const found = await stat(source).catch((error: unknown) => {
    throw new NotFound(`cannot read ${source}, the source of /${path} in the image`, { cause: error });
  });
  if (!found.isFile()) throw new InvalidInput(`${source}, the source of /${path} in the image, is not a file`);
  return hostFile({ source, path, found, mode: mode ?? found.mode & 0o777 });
}

function hostFile(file: { source: string; path: string; found: Stats; mode: number }): TarFile {
  const { source, path, found, mode } = file;
  const read = (): AsyncIterable<Uint8Array> => createReadStream(source, { highWaterMark: readChunkBytes });
  return { type: "file", path, mode, size: found.size, stamp: `${source} ${found.size} ${found.mtimeMs}`, read };
}

async function readTree({ source, exclude }: Tree, path: string): Promise<TarEntry[]> {
  const entries: TarEntry[] = [{ type: "directory", path, mode: (await stat(source)).mode & 0o7777 }];
  const walk = async (relative: string): Promise<void> => {
    for (const name of await readdir(join(source, relative))) {
      const inner = posix.join(relative, name);
      if (exclude(inner)) continue;
      const entry = await treeEntry(join(source, inner), posix.join(path, inner));
      entries.push(entry);
      if (entry.type === "directory") await walk(inner);
    }
  };
  await walk("");
  return entries;
}

async function treeEntry(source: string, path: string): Promise<TarEntry> {
  const found = await lstat(source);
  const mode = found.mode & 0o7777;
  if (found.isSymbolicLink()) return { type: "symlink", path, target: await readlink(source) };
  if (found.isDirectory()) return { type: "directory", path, mode };
  if (found.isFile()) return hostFile({ source, path, found, mode });
  throw new InvalidInput(`${source} is not a file, directory or link and cannot be added to an image`, {
    hint: "Exclude it from the tree.",
  });
}
