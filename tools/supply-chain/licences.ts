/** Whether software under a licence may be part of Butler. Catalog add-ons with a refused one name it to users. */
export type LicenceVerdict = "allowed" | "refused" | "unknown";

const allowed: ReadonlySet<string> = new Set([
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "CC0-1.0",
  "ISC",
  "MIT",
  // Weak copyleft: it applies to the files of the package, which are used unchanged.
  "MPL-2.0",
  "OFL-1.1",
  "PSF-2.0",
  "Unlicense",
  "Zlib",
]);

/** Obligations for the whole program or for its users over a network, or limits on how it may be used. */
const refused = /^(AGPL|GPL|LGPL|SSPL|BUSL|RSAL|Elastic|EUPL|OSL|CC-BY-NC|CPAL)/i;

/** Judges an SPDX expression. Of alternatives the best counts, of combinations the worst. */
export function judgeLicence(expression: string | undefined): LicenceVerdict {
  const words = (expression ?? "").match(/[()]|[^\s()]+/g) ?? [];
  const rest = [...words];
  const verdict = alternatives(rest);
  return rest.length > 0 ? "unknown" : verdict;
}

const order: readonly LicenceVerdict[] = ["allowed", "unknown", "refused"];
const better = (one: LicenceVerdict, other: LicenceVerdict): LicenceVerdict =>
  order.indexOf(one) < order.indexOf(other) ? one : other;
const worse = (one: LicenceVerdict, other: LicenceVerdict): LicenceVerdict =>
  better(one, other) === one ? other : one;

function alternatives(words: string[]): LicenceVerdict {
  let verdict = combination(words);
  while (words[0] === "OR") {
    words.shift();
    verdict = better(verdict, combination(words));
  }
  return verdict;
}

function combination(words: string[]): LicenceVerdict {
  let verdict = single(words);
  while (words[0] === "AND") {
    words.shift();
    verdict = worse(verdict, single(words));
  }
  return verdict;
}

function single(words: string[]): LicenceVerdict {
  const word = words.shift();
  if (word === "(") {
    const verdict = alternatives(words);
    return words.shift() === ")" ? verdict : "unknown";
  }
  // An exception only ever permits more; without knowing it, the licence itself counts.
  if (words[0] === "WITH") words.splice(0, 2);
  if (word === undefined) return "unknown";
  if (allowed.has(word)) return "allowed";
  return refused.test(word) ? "refused" : "unknown";
}

/** What is read of a package in the lock file. */
export interface LicensedEntry {
  readonly license?: string;
  readonly link?: boolean;
  readonly version?: string;
}

/** Packages whose licence the lock file lacks, by the start of their path: npm records none for absent platforms. */
const knownByPath: readonly (readonly [string, string])[] = [
  ["node_modules/@oxc-parser/binding-", "MIT"],
  ["node_modules/@oxlint-tsgolint/", "MIT"],
  ["node_modules/@oxlint/binding-", "MIT"],
];

/** The packages of a lock file that may not be used, one sentence each. */
export function licenceFaults(packages: Readonly<Record<string, LicensedEntry>>): string[] {
  return Object.entries(packages).flatMap(([path, entry]) => {
    if (!path.includes("node_modules/") || entry.link === true) return [];
    const licence = entry.license ?? knownByPath.find(([start]) => path.startsWith(start))?.[1];
    const verdict = judgeLicence(licence);
    if (verdict === "allowed") return [];
    const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
    return [`${name} ${entry.version ?? ""}: license ${licence ?? "not stated"} is ${verdict}`];
  });
}
