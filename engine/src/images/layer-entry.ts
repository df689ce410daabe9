/** What a layer of an image holds; paths inside the image are absolute. */
export type LayerEntry = SourceFile | InlineFile | Directory | Symlink | Tree;

/** A file taken from this machine when the image is written; a link to it is followed. */
export interface SourceFile {
  readonly kind: "source-file";
  readonly path: string;
  readonly source: string;
  /** As the source has it when absent, without the bits that lend the owner's rights. */
  readonly mode?: number | undefined;
}

/** A file whose content is known. */
export interface InlineFile {
  readonly kind: "inline-file";
  readonly path: string;
  readonly content: string | Uint8Array;
  readonly mode: number;
}

/** A directory; those that lead to an entry need not be given. */
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

/** A directory of this machine with all that is in it: links stay links, modes stay, owners become root. */
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

/** A program of this machine: a file that everybody may run. */
export function programFrom(source: string, path: string): SourceFile {
  return fileFrom(source, path, 0o755);
}

/** A file with the given content. */
export function fileWith(path: string, content: string | Uint8Array, mode = 0o644): InlineFile {
  return { kind: "inline-file", path, content, mode };
}

/** A directory, for its mode or because it must exist although nothing is in it. */
export function directory(path: string, mode = 0o755): Directory {
  return { kind: "directory", path, mode };
}

/** A symbolic link at `path`. */
export function symlink(path: string, target: string): Symlink {
  return { kind: "symlink", path, target };
}

/** Where a copied tree goes, and which of its paths stay out (given relative to the tree, such as `share/doc`). */
export interface CopyTreeOptions {
  readonly to: string;
  readonly exclude?: (relativePath: string) => boolean;
}

/** A whole directory of this machine; what is below an excluded directory stays out with it. */
export function copyTree(source: string, { to, exclude = () => false }: CopyTreeOptions): Tree {
  return { kind: "tree", path: to, source, exclude };
}
