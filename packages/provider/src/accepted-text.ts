/** Names that Kubernetes and the providers accept; schemas accept more, but objects must never be rejected. */

const dnsLabel = "[a-z0-9](?:[-a-z0-9]*[a-z0-9])?";
const labelName = "[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?";
const longestLabel = 63;
const longestSubdomain = 253;

const patterns = {
  dnsLabel: new RegExp(`^${dnsLabel}$`),
  subdomain: new RegExp(`^${dnsLabel}(?:\\.${dnsLabel})*$`),
  labelName: new RegExp(`^${labelName}$`),
  uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
};

/** A name of at most 63 lower-case letters, digits and `-`. */
export function isDnsLabel(text: string): boolean {
  return text.length <= longestLabel && patterns.dnsLabel.test(text);
}

/** Such names separated by dots, limited only in total length, as in Kubernetes. */
export function isDnsSubdomain(text: string): boolean {
  return text.length <= longestSubdomain && patterns.subdomain.test(text);
}

/** The key of a label or taint: a name with an optional domain and slash before it. */
export function isQualifiedName(text: string): boolean {
  const [first = "", second, ...rest] = text.split("/");
  if (rest.length > 0) return false;
  return second === undefined
    ? patterns.labelName.test(first)
    : isDnsSubdomain(first) && patterns.labelName.test(second);
}

/** The value of a label or taint, which may be empty. */
export function isLabelValue(text: string): boolean {
  return text === "" || patterns.labelName.test(text);
}

/** `namespace/name` of an object. */
export function isNamespacedName(text: string): boolean {
  const [namespace = "", name = "", ...rest] = text.split("/");
  return rest.length === 0 && isDnsLabel(namespace) && isDnsSubdomain(name);
}

/** A UUID in its usual form. */
export function isUuid(text: string): boolean {
  return patterns.uuid.test(text);
}

/** The first of the texts that is set. */
export function firstSet(...texts: readonly (string | undefined)[]): string | undefined {
  return texts.find((text) => text !== undefined && text !== "");
}
