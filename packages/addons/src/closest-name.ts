/** The most similar existing name; undefined when none is similar. */
export function closestName(given: string, names: readonly string[]): string | undefined {
  const near = names
    .map((name) => ({ name, distance: isPart(given, name) ? 1 : distanceBetween(given, name) }))
    .filter(({ name, distance }) => distance <= Math.max(1, Math.floor(Math.max(name.length, given.length) / 3)))
    .toSorted((left, right) => left.distance - right.distance || (left.name < right.name ? -1 : 1));
  return near[0]?.name;
}

/** Such as `nginx` for `ingress-nginx`. */
function isPart(given: string, name: string): boolean {
  return given.length >= 3 && (name.includes(given) || given.includes(name));
}

/** Edit distance between two words. */
function distanceBetween(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (const [line, letter] of from.split("").entries()) {
    const next = [line + 1];
    for (const [at, other] of to.split("").entries()) {
      const changed = (row[at] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(changed, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
