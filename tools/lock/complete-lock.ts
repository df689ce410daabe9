import type { LockEntry, LockFile } from "./lock-file.ts";
import { isExactVersion, locate, optionalDependenciesOf } from "./optional-dependencies.ts";
import { platformOfName, type Platform } from "./platform-of-name.ts";

export interface CompletedLock {
  readonly lock: LockFile;
  /** The paths of the entries that were added. */
  readonly added: readonly string[];
}

/**
 * Adds the entries that npm left out. When the registry does not have an optional package, npm writes no entry for it,
 * and `npm ci` rejects such a file. An added entry declares the platform in the name of the package, so that it is
 * fetched only on that platform, and has no integrity, which requires the package itself. A package whose name contains
 * no platform gets no entry. It would be fetched everywhere without verification.
 */
export function completeLock(lock: LockFile): CompletedLock {
  const packages: Record<string, LockEntry> = { ...lock.packages };
  const additions = new Map<string, Addition>();
  for (const dependency of optionalDependenciesOf(packages)) {
    const { parent, name, wanted } = dependency;
    const asker = packages[parent] ?? {};
    const { found, free } = locate(packages, dependency);
    if (found !== undefined) additions.get(found)?.askers.push(asker);
    const platform = platformOfName(name);
    if (free === undefined || platform === undefined || !isExactVersion(wanted)) continue;
    packages[free] = { version: wanted };
    additions.set(free, { version: wanted, platform, askers: [asker] });
  }
  for (const [path, addition] of additions) packages[path] = entryOf(addition);
  return { lock: { ...lock, packages }, added: [...additions.keys()] };
}

/** The lock file without the added entries: npm resolves those packages again, and may now find them. */
export function withoutAdded(lock: LockFile): LockFile {
  const packages = Object.entries(lock.packages).filter(([, entry]) => !isAdded(entry));
  return { ...lock, packages: Object.fromEntries(packages) };
}

/** The problems of a lock file, as sentences. */
export function problemsOf({ packages }: LockFile): string[] {
  const missing = optionalDependenciesOf(packages)
    .filter((dependency) => locate(packages, dependency).found === undefined)
    .map(
      ({ parent, name, wanted }) => `${name}@${wanted} has no entry, but is required by ${parent || "the project"}.`,
    );
  const addresses = Object.entries(packages)
    .filter(([, { resolved }]) => /^https?:/.test(resolved ?? ""))
    .map(([path]) => `${path} has a registry-specific URL.`);
  return [...missing, ...addresses];
}

interface Addition {
  readonly version: string;
  readonly platform: Platform;
  /** The packages that depend on it. */
  readonly askers: LockEntry[];
}

/** A package is a development dependency only if all its dependents are. The fields are in npm's order. */
function entryOf({ version, platform: { cpu, libc, os }, askers }: Addition): LockEntry {
  return {
    version,
    cpu,
    ...(askers.every(({ dev }) => dev) && { dev: true }),
    ...(libc !== undefined && { libc }),
    optional: true,
    ...(os !== undefined && { os }),
    ...(askers.every(({ peer }) => peer) && { peer: true }),
  };
}

/** npm writes the integrity of every package in the registry, except for bundled ones. */
function isAdded({ optional, integrity, link, inBundle }: LockEntry): boolean {
  return optional === true && integrity === undefined && link !== true && inBundle !== true;
}
