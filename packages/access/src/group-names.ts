import { foldName, lowerAscii, trimAscii } from "./plain-names.ts";

/** The kinds of group names: a distinguished name, a name with a domain as of mail or a UPN, and a plain name. */
type GroupKind = "directory" | "domain" | "plain";

/** One attribute of a distinguished name, such as CN=developers. */
interface NamePart {
  readonly type: string;
  readonly value: string;
}

/**
 * The key of a group for comparison: equal keys are the same group. It contains the kind of name, so that `ops`,
 * `ops@corp.example` and `CN=ops,DC=corp` are three groups: a provider that uses one kind cannot speak for groups of
 * another. Empty for names that refer to no group.
 */
export function groupKey(group: string): string {
  const text = trimAscii(group);
  if (kindOf(text) === "directory") {
    return `directory ${JSON.stringify(partsOf(text).map(({ type, value }) => [type, foldName(value)]))}`;
  }
  const folded = foldName(text);
  const { name, domain } = splitAt(folded);
  if (name === "" || (domain === "" && folded.includes("@"))) return "";
  return `${kindOf(text)} ${folded}`;
}

/**
 * Whether two spellings refer to the same group: the same kind of name, the same place, and the same name, compared by
 * `foldName`. Reserved names never match.
 */
export function isSameGroup(left: string, right: string): boolean {
  const key = groupKey(left);
  return key !== "" && key === groupKey(right) && ![left, right].some(isReservedGroup);
}

/**
 * Whether the name of a group is reserved for Kubernetes (`system:masters`) or Butler (`butler:platform:admin`). Groups
 * of an identity provider or a team with such a name are ignored, in whatever form and script it is hidden.
 */
export function isReservedGroup(group: string): boolean {
  const text = group.trim();
  const values = kindOf(text) === "directory" ? partsOf(text).map(({ value }) => value) : [];
  return [text, splitAt(text).name, ...values]
    .map((name) => name.normalize("NFKC").trim().toLowerCase())
    .some((name) => /^(?:butler|system):/.test(name));
}

/**
 * The domain that a group belongs to: behind the `@`, or of the DC parts of a distinguished name. Undefined for names
 * without one.
 */
export function domainOfGroup(group: string): string | undefined {
  const text = trimAscii(group);
  if (kindOf(text) === "plain") return undefined;
  if (kindOf(text) === "domain") return foldName(splitAt(text).domain);
  const domain = partsOf(text)
    .filter(({ type }) => type === "dc")
    .map(({ value }) => foldName(value))
    .join(".");
  return domain === "" ? undefined : domain;
}

/**
 * Whether an identity provider may speak for a domain. Without a list it may speak for all; a name without a domain is
 * always its own.
 */
export function maySpeakFor(domain: string | undefined, domains: readonly string[] = []): boolean {
  if (domains.length === 0 || domain === undefined) return true;
  return domains.some((allowed) => foldName(allowed) === foldName(domain));
}

function kindOf(text: string): GroupKind {
  if (/^(?:[a-z][a-z0-9-]*|\d+(?:\.\d+)+)\s*=/i.test(text)) return "directory";
  return text.includes("@") ? "domain" : "plain";
}

function splitAt(text: string): { readonly name: string; readonly domain: string } {
  const at = text.lastIndexOf("@");
  return at < 0 ? { name: text, domain: "" } : { name: text.slice(0, at), domain: text.slice(at + 1) };
}

/** The parts of a distinguished name (RFC 4514). A comma behind a backslash belongs to the name. */
function partsOf(text: string): NamePart[] {
  const parts = text.match(/(?:\\.|[^\\,])+/gs) ?? [];
  return parts.map((part) => {
    const [, type = "", value = part] = /^\s*([^=\s]+)\s*=(.*)$/s.exec(part) ?? [];
    return { type: lowerAscii(type), value: unescaped(trimAscii(value)) };
  });
}

function unescaped(value: string): string {
  const bytes = (pairs: string): string => {
    const codes = pairs.split("\\").slice(1);
    return new TextDecoder().decode(Uint8Array.from(codes, (code) => Number.parseInt(code, 16)));
  };
  return value.replaceAll(/(?:\\[0-9a-f]{2})+|\\(.)/gis, (whole: string, character: string | undefined) =>
    character === undefined ? bytes(whole) : character,
  );
}
