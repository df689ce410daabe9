/** The fields of a package-lock.json entry that are read here; npm writes more. */
export interface LockEntry {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly bundleDependencies?: readonly string[] | boolean;
  readonly cpu?: readonly string[];
  readonly dev?: boolean;
  readonly inBundle?: boolean;
  readonly libc?: readonly string[];
  readonly link?: boolean;
  readonly optional?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly os?: readonly string[];
  readonly peer?: boolean;
}

/** The entries by their install path; the project itself has the empty path. */
export type LockEntries = Readonly<Record<string, LockEntry>>;

export interface LockFile {
  readonly packages: LockEntries;
}

/** The text of a lock file in npm's format, so that npm does not rewrite the file. */
export function printLock(lock: LockFile): string {
  const packages = Object.fromEntries(
    Object.entries(lock.packages).toSorted(([one], [other]) => one.localeCompare(other, "en")),
  );
  return `${JSON.stringify({ ...lock, packages }, undefined, 2)}\n`;
}
