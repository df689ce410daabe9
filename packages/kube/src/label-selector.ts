/**
 * Whether labels satisfy a selector of the equality form (`a=b,c!=d,e,!f`). A selector in the set form (`a in (b)`)
 * satisfies nothing here: the caller then waits for the API server's own verdict.
 */
export function matchesLabels(selector: string, labels: Readonly<Record<string, string>> = {}): boolean {
  return selector.split(",").every((part) => matchesOne(part.trim(), labels));
}

function matchesOne(part: string, labels: Readonly<Record<string, string>>): boolean {
  if (/[()\s]/.test(part)) return false;
  const unequal = /^([^!=]+)!=(.*)$/.exec(part);
  if (unequal !== null) return labels[unequal[1] ?? ""] !== unequal[2];
  const equal = /^([^!=]+)={1,2}(.*)$/.exec(part);
  if (equal !== null) return labels[equal[1] ?? ""] === equal[2];
  return part.startsWith("!") ? labels[part.slice(1)] === undefined : labels[part] !== undefined;
}
