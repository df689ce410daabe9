import semver from "semver";
import { ChartUnavailable } from "./chart-unavailable.ts";

/** Which version of which chart is wanted, and where, for messages. */
export interface Wish {
  readonly host: string;
  readonly name: string;
  /** Undefined for the newest stable one. */
  readonly version: string | undefined;
}

/** Whether two texts are the same version: some write a v before it. */
export function isSameVersion(one: string, other: string): boolean {
  return one.replace(/^v/, "") === other.replace(/^v/, "");
}

/** Chooses the version that is wanted from those that there are. */
export function chooseVersion<T extends { readonly version: string }>(offers: readonly T[], wish: Wish): T {
  if (wish.version !== undefined) return exact(offers, wish, wish.version);
  const newest = newestOf(offers.filter(({ version }) => isStable(version)));
  if (newest !== undefined) return newest;
  throw notFound(wish, "has no stable version", newestOf(offers)?.version);
}

/** That a version is not there, with the newest one that is, if it is known. */
export function notFound({ host, name }: Wish, what: string, newest: string | undefined): ChartUnavailable {
  const other = newest === undefined ? "" : ` The newest one there is ${newest}.`;
  return new ChartUnavailable("VersionNotFound", `the chart ${name} at ${host} ${what}`, {
    hint: `Write a version that the repository has, exactly as it is there.${other}`,
  });
}

/** The newest of several by the rules of semantic versions; what is none does not count. */
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

/** Of versions that differ only in their build, the one that sorts last: so the order of a list never decides. */
function newer(one: semver.SemVer, other: semver.SemVer): boolean {
  const order = one.compare(other);
  return order > 0 || (order === 0 && one.compareBuild(other) > 0);
}

function isStable(version: string): boolean {
  return semver.prerelease(version) === null && semver.valid(version) !== null;
}
