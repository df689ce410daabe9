/**
 * Whether labels satisfy a selector of the equality form (`a=b,c!=d,e,!f`). A selector in the set form (`a in (b)`)
 * matches nothing here: the caller then waits for the API server.
 */
export function matchesLabels(selector: string, labels: Readonly<Record<string, string>> = {}): boolean {
  if (selector.trim() === "") return true;
  return selector.split(",").every((part) => matchesOne(part.trim(), labels));
}

function matchesOne(part: string, labels: Readonly<Record<string, string>>): boolean {
  if (/[()\s]/.test(part)) return false;
  const unequal = /^([^!=]+)!=(.*)$/.exec(part);
  if (unequal !== null) return labelOf(labels, unequal[1]) !== unequal[2];
  const equal = /^([^!=]+)={1,2}(.*)$/.exec(part);
  if (equal !== null) return labelOf(labels, equal[1]) === equal[2];
  return part.startsWith("!") ? labelOf(labels, part.slice(1)) === undefined : labelOf(labels, part) !== undefined;
}

/** Looks past what every object inherits, such as `constructor`. */
function labelOf(labels: Readonly<Record<string, string>>, name = ""): string | undefined {
  return Object.hasOwn(labels, name) ? labels[name] : undefined;
}
