import semver from "semver";
import { ChartUnavailable } from "./chart-unavailable.ts";

/** The wanted chart and version, for messages. */
export interface Wish {
  readonly host: string;
  readonly name: string;
  /** Undefined for the newest stable one. */
  readonly version: string | undefined;
}

/** Whether two strings are the same version, with or without a leading v. */
export function isSameVersion(one: string, other: string): boolean {
  return one.replace(/^v/, "") === other.replace(/^v/, "");
}

/** Chooses the wanted version from the available ones. */
export function chooseVersion<T extends { readonly version: string }>(offers: readonly T[], wish: Wish): T {
  if (wish.version !== undefined) return exact(offers, wish, wish.version);
  const newest = newestOf(offers.filter(({ version }) => isStable(version)));
  if (newest !== undefined) return newest;
  throw notFound(wish, "has no stable version", newestOf(offers)?.version);
}

/** The error for a missing version, with the newest available one, if known. */
export function notFound({ host, name }: Wish, what: string, newest: string | undefined): ChartUnavailable {
  const other = newest === undefined ? "" : ` The newest version is ${newest}.`;
  return new ChartUnavailable("VersionNotFound", `the chart ${name} at ${host} ${what}`, {
    hint: `Specify a version from the repository, exactly as listed there.${other}`,
  });
}

/** The newest version by semantic versioning; invalid versions are ignored. */
export function newestOf<T extends { readonly version: string }>(offers: readonly T[]): T | undefined {
  const known = offers.flatMap((offer) => {
    const parsed = semver.parse(offer.version);
    return parsed === null ? [] : [{ offer, parsed }];
  });
  return known.reduce<(typeof known)[number] | undefined>(
    (best, next) => (best === undefined || newer(next.parsed, best.parsed) ? next : best),
    undefined,
  )?.offer;
}

function exact<T extends { readonly version: string }>(offers: readonly T[], wish: Wish, version: string): T {
  const same = offers.filter((offer) => isSameVersion(offer.version, version));
  const found = same.find((offer) => offer.version === version) ?? same[0];
  if (found !== undefined) return found;
  const newest = newestOf(offers.filter((offer) => isStable(offer.version)))?.version;
  throw notFound(wish, `has no version ${JSON.stringify(version.slice(0, 100))}`, newest);
}

/** Of versions that differ only in build metadata, the one that sorts last, so that list order is irrelevant. */
function newer(one: semver.SemVer, other: semver.SemVer): boolean {
  const order = one.compare(other);
  return order > 0 || (order === 0 && one.compareBuild(other) > 0);
}

function isStable(version: string): boolean {
  return semver.prerelease(version) === null && semver.valid(version) !== null;
}
