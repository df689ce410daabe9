/** An entry of an image layer; paths inside the image are absolute. */
export type LayerEntry = SourceFile | InlineFile | Directory | Symlink | Tree;

/** A file that is copied from this machine when the image is written; links are followed. */
export interface SourceFile {
  readonly kind: "source-file";
  readonly path: string;
  readonly source: string;
  /** The source's mode by default, without setuid and setgid bits. */
  readonly mode?: number | undefined;
}

/** A file with known content. */
export interface InlineFile {
  readonly kind: "inline-file";
  readonly path: string;
  readonly content: string | Uint8Array;
  readonly mode: number;
}

/** A directory; parent directories of an entry need not be listed. */
export interface Directory {
  readonly kind: "directory";
  readonly path: string;
  readonly mode: number;
}

/** A symbolic link. */
export interface Symlink {
  readonly kind: "symlink";
  readonly path: string;
  readonly target: string;
}

/** A directory of this machine with all its contents: links and modes are kept, and the owner becomes root. */
export interface Tree {
  readonly kind: "tree";
  readonly path: string;
  readonly source: string;
  readonly exclude: (relativePath: string) => boolean;
}

/** A file of this machine, at a path of the image. */
export function fileFrom(source: string, path: string, mode?: number): SourceFile {
  return { kind: "source-file", path, source, mode };
}

/** A program of this machine: an executable file. */
export function programFrom(source: string, path: string): SourceFile {
  return fileFrom(source, path, 0o755);
}

/** A file with the given content. */
export function fileWith(path: string, content: string | Uint8Array, mode = 0o644): InlineFile {
  return { kind: "inline-file", path, content, mode };
}

/** An empty directory, or one with a specific mode. */
export function directory(path: string, mode = 0o755): Directory {
  return { kind: "directory", path, mode };
}

/** A symbolic link at `path`. */
export function symlink(path: string, target: string): Symlink {
  return { kind: "symlink", path, target };
}

/** The target of a copied tree, and the paths to exclude (relative to the tree, such as `share/doc`). */
export interface CopyTreeOptions {
  readonly to: string;
  readonly exclude?: (relativePath: string) => boolean;
}

/** A whole directory of this machine; the contents of excluded directories are excluded, too. */
export function copyTree(source: string, { to, exclude = () => false }: CopyTreeOptions): Tree {
  return { kind: "tree", path: to, source, exclude };
}
