import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { applyEdit, type Edit } from "./edit.ts";
import type { Names } from "./names.ts";

/** What a scaffold adds to the repository. */
export interface Scaffold {
  /** New files by path. */
  readonly files: Readonly<Record<string, string>>;
  /** Lines in existing files, in order. */
  readonly edits: readonly Edit[];
  /** What is left to the author, as imperatives. */
  readonly nextSteps: readonly string[];
}

/** A shape of which there are many in the repository. */
export interface Shape {
  readonly name: string;
  readonly summary: string;
  /** Plans a new one. Throws `ScaffoldRefusal` when something it builds on is missing. */
  readonly plan: (names: Names, repository: Repository) => Scaffold | Promise<Scaffold>;
}

/** The files that a plan may look at. */
export interface Repository {
  readonly has: (path: string) => boolean;
  readonly read: (path: string) => Promise<string>;
}

/** A request that cannot be fulfilled, and the remedy. */
export class ScaffoldRefusal extends Error {}

/** The repository in a directory. */
export function repositoryAt(root: string): Repository {
  return {
    has: (path) => existsSync(join(root, path)),
    read: (path) => readFile(join(root, path), "utf8"),
  };
}

/** Writes a scaffold, and returns the paths that were written. Writes nothing when a file exists or an edit fails. */
export async function writeScaffold(root: string, { files, edits }: Scaffold): Promise<string[]> {
  const repository = repositoryAt(root);
  const taken = Object.keys(files).filter(repository.has);
  if (taken.length > 0) throw new ScaffoldRefusal(`the name is taken: found ${taken.join(", ")}`);
  const texts = new Map(Object.entries(files));
  for (const edit of edits) {
    const before = texts.get(edit.path) ?? (await repository.read(edit.path));
    texts.set(edit.path, applyEdit(before, edit));
  }
  for (const [path, text] of texts) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  return [...texts.keys()];
}

const kindFolders = ["butler", "steward", "local"];

/** The file of a kind; undefined when the kind does not exist. */
export function fileOfKind({ kebab }: Names, { has }: Repository): string | undefined {
  return kindFolders.map((folder) => `packages/api/src/${folder}/${kebab}.ts`).find(has);
}

/** Requires that the kind that a scaffold builds on exists. */
export function requireKind(names: Names, repository: Repository): void {
  if (fileOfKind(names, repository) !== undefined) return;
  const { kebab, pascal } = names;
  throw new ScaffoldRefusal(`kind ${pascal} not found in packages/api; create it first: npm run new -- kind ${kebab}`);
}
