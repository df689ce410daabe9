import { InvalidInput, isRecord } from "@butler/std";

/** Helm values: anything that JSON can carry. */
export type Values = Readonly<Record<string, unknown>>;

/** Who decided a value, in the order in which layers are laid over each other: the later of these wins. */
export type ValueOrigin = "definition" | "provider" | "team" | "environment" | "cluster" | "addon";

/** What one of those who may decide wants. */
export interface ValuesLayer {
  readonly from: ValueOrigin;
  readonly values: Values | undefined;
}

/** Says who decided the value at a path, without the value, which may be secret. */
export interface ValueSource {
  readonly path: string;
  readonly from: ValueOrigin;
}

/** Values that every layer had its say in. */
export interface MergedValues {
  readonly values: Values;
  readonly origins: readonly ValueSource[];
}

/** Bounds that no honest chart comes near, so that a value cannot be made to cost memory or the stack. */
export const valuesLimits = { depth: 50, entries: 20_000, characters: 1_048_576 } as const;

/** A map that is still being merged, or what it was replaced by. */
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
 * Lays the layers over each other, in the order given: maps are merged key by key, lists and everything else replace
 * what was there, and a null takes it away. Folding from the left is the same as merging all at once; merging later
 * layers among themselves first is not, because a null of theirs would be gone before it took anything away.
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

/** A key as it stands in a path, where a dot of the key's own is written `\.`, as in `helm --set`. */
export function escapeKey(key: string): string {
  return key.replace(/[\\.]/g, String.raw`\$&`);
}

function checkSize(values: Values, from: ValueOrigin): void {
  let entries = 0;
  let characters = 0;
  const walk = (value: unknown, depth: number): void => {
    entries += 1;
    if (typeof value === "string") characters += value.length;
    if (depth > valuesLimits.depth) throw tooMuch(from, `are nested more than ${valuesLimits.depth} deep`);
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
    hint: "Put large texts into a ConfigMap or Secret and refer to it from the values.",
  });
}
