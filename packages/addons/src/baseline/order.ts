/** An item with dependencies. */
export interface Ordered {
  readonly name: string;
  readonly dependsOn: readonly string[];
}

/**
 * Sorts items after their dependencies, otherwise in the order given. Items of a cycle come last, unchanged: the cycle is
 * reported when they are installed.
 */
export function inOrder<T extends Ordered>(items: readonly T[]): readonly T[] {
  const known = new Set(items.map(({ name }) => name));
  const placed = new Set<string>();
  const order: T[] = [];
  for (;;) {
    const next = items.find(
      ({ name, dependsOn }) => !placed.has(name) && dependsOn.every((each) => placed.has(each) || !known.has(each)),
    );
    if (next === undefined) break;
    placed.add(next.name);
    order.push(next);
  }
  return [...order, ...items.filter(({ name }) => !placed.has(name))];
}

/** All direct and transitive dependencies of an item. */
export function everythingBelow(name: string, dependsOn: (name: string) => readonly string[]): ReadonlySet<string> {
  const found = new Set<string>();
  const open = [...dependsOn(name)];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (found.has(next)) continue;
    found.add(next);
    open.push(...dependsOn(next));
  }
  return found;
}
