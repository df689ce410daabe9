import type { LockEntries, LockEntry } from "./lock-file.ts";

/** An optional dependency: the path of the dependent package, its name, and the requested version. */
export interface OptionalDependency {
  readonly parent: string;
  readonly name: string;
  readonly wanted: string;
}

/** The entry of an optional dependency, the path at which it would get one, or neither if that path is taken. */
export interface Location {
  readonly found?: string;
  readonly free?: string;
}

/** Packages of binaries are requested by exact version, each by the package of the same version. */
export function isExactVersion(wanted: string): boolean {
  return /^\d+\.\d+\.\d+(?:[-+].*)?$/.test(wanted);
}

/**
 * Every optional dependency for which npm requires an entry. Those of top-level packages come first: npm installs them
 * at the top if nested packages request another version.
 */
export function optionalDependenciesOf(packages: LockEntries): OptionalDependency[] {
  return Object.entries(packages)
    .toSorted(([one], [other]) => foldersAbove(one).length - foldersAbove(other).length)
    .flatMap(([parent, entry]) =>
      Object.entries(entry.optionalDependencies ?? {})
        .filter(([name]) => !isBundled(parent, entry, name))
        .map(([name, wanted]) => ({ parent, name, wanted })),
    );
}

/** Looks up an entry like Node resolves a package: from the dependent package upwards. */
export function locate(packages: LockEntries, { parent, name, wanted }: OptionalDependency): Location {
  let free: string | undefined;
  for (const folder of foldersAbove(parent)) {
    const path = `${folder === "" ? "" : `${folder}/`}node_modules/${name}`;
    const entry = packages[path];
    if (entry === undefined) free = path;
    else if (entry.link === true || !isExactVersion(wanted) || entry.version === wanted) return { found: path };
    else break;
  }
  return free === undefined ? {} : { free };
}

/** Packages bundled in a package's archive need no entry. The project and its workspaces are in no archive. */
function isBundled(parent: string, { bundleDependencies = false }: LockEntry, name: string): boolean {
  if (!parent.includes("node_modules/")) return false;
  return typeof bundleDependencies === "boolean" ? bundleDependencies : bundleDependencies.includes(name);
}

/** The directories whose node_modules a package is resolved from, its own first. */
function foldersAbove(path: string): string[] {
  if (path === "") return [""];
  const at = path.lastIndexOf("node_modules/");
  return [path, ...foldersAbove(at > 0 ? path.slice(0, at - 1) : "")];
}
