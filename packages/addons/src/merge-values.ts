import { InvalidInput, isRecord } from "@butler/std";

/** Helm values: anything that JSON can carry. */
export type Values = Readonly<Record<string, unknown>>;

/** Source of a value, in order of precedence: later layers win. */
export type ValueOrigin = "definition" | "provider" | "team" | "environment" | "cluster" | "addon";

/** The values of one layer. */
export interface ValuesLayer {
  readonly from: ValueOrigin;
  readonly values: Values | undefined;
}

/** The source of the value at a path, without the value, which may be secret. */
export interface ValueSource {
  readonly path: string;
  readonly from: ValueOrigin;
}

/** The merged values of all layers. */
export interface MergedValues {
  readonly values: Values;
  readonly origins: readonly ValueSource[];
}

/** Limits far above any real chart, so that values cannot exhaust memory or the stack. */
export const valuesLimits = { depth: 50, entries: 20_000, characters: 1_048_576 } as const;

/** A map during the merge. */
interface Branch {
  readonly from: ValueOrigin;
  readonly children: Map<string, Branch | Leaf>;
}

interface Leaf {
  readonly from: ValueOrigin;
  readonly value: unknown;
}

const isBranch = (node: Branch | Leaf | undefined): node is Branch => node !== undefined && "children" in node;

/**
 * Merges the layers in the order given: maps are merged key by key, lists and everything else replace the earlier value,
 * and null removes it. Folding from the left is the same as merging all at once; merging later layers first is not,
 * because their nulls would be dropped before they remove anything.
 */
export function mergeValues(layers: readonly ValuesLayer[]): MergedValues {
  const root: Branch = { from: "definition", children: new Map() };
  for (const { from, values = {} } of layers) {
    checkSize(values, from);
    lay(values, root, from);
  }
  const origins: ValueSource[] = [];
  for (const [key, node] of root.children) listOrigins(escapeKey(key), node, origins);
  return { values: plain(root), origins };
}

function lay(values: Values, onto: Branch, from: ValueOrigin): void {
  for (const [key, value] of Object.entries(values)) {
    const there = onto.children.get(key);
    if (value === undefined) continue;
    if (value === null) onto.children.delete(key);
    else if (!isRecord(value)) onto.children.set(key, { from, value });
    else if (isBranch(there)) lay(value, there, from);
    else onto.children.set(key, branchOf(value, from));
  }
}

function branchOf(values: Values, from: ValueOrigin): Branch {
  const branch: Branch = { from, children: new Map() };
  lay(values, branch, from);
  return branch;
}

/** Built from entries, because assigning to a key such as `__proto__` would change the object instead of its content. */
function plain(branch: Branch): Values {
  return Object.fromEntries(
    [...branch.children].map(([key, node]) => [key, isBranch(node) ? plain(node) : node.value] as const),
  );
}

/** An empty map is a value too: its origin is the layer that first put a map there. */
function listOrigins(path: string, node: Branch | Leaf, into: ValueSource[]): void {
  if (!isBranch(node) || node.children.size === 0) {
    into.push({ path, from: node.from });
    return;
  }
  for (const [key, child] of node.children) listOrigins(`${path}.${escapeKey(key)}`, child, into);
}

/** A key in a path, where a dot in the key is escaped as `\.`, as in `helm --set`. */
export function escapeKey(key: string): string {
  return key.replace(/[\\.]/g, String.raw`\$&`);
}

function checkSize(values: Values, from: ValueOrigin): void {
  let entries = 0;
  let characters = 0;
  const walk = (value: unknown, depth: number): void => {
    entries += 1;
    if (typeof value === "string") characters += value.length;
    if (depth > valuesLimits.depth) throw tooMuch(from, `are nested more than ${valuesLimits.depth} levels deep`);
    if (entries > valuesLimits.entries) throw tooMuch(from, `have more than ${valuesLimits.entries} entries`);
    if (characters > valuesLimits.characters)
      throw tooMuch(from, `are larger than ${valuesLimits.characters} characters`);
    if (Array.isArray(value)) for (const item of value) walk(item, depth + 1);
    else if (isRecord(value)) {
      for (const [key, child] of Object.entries(value)) {
        characters += key.length;
        walk(child, depth + 1);
      }
    }
  };
  walk(values, 0);
}

function tooMuch(from: ValueOrigin, what: string): InvalidInput {
  return new InvalidInput(`the values of the ${from} layer ${what}`, {
    hint: "Store large values in a ConfigMap or Secret, and reference it from the values.",
  });
}
