import { deepEqual, isRecord, valueAt } from "@butler/std";

/** Part of a spec, as entered. */
export type Parts = Readonly<Record<string, unknown>>;

/** An additional node pool in the form. */
export interface PoolDraft extends Parts {
  readonly name: string;
  readonly replicas: number;
}

/** A cluster to be created. Its spec is that of the manifest, so that form and YAML are interchangeable. */
export interface Draft {
  readonly name: string;
  /** Empty for none. */
  readonly environment: string;
  /** Labels other than the environment. */
  readonly labels: Readonly<Record<string, string>>;
  /** TenantCluster.spec without teamRef, which is the team of the page. */
  readonly spec: Parts;
  /** Catalog entries to enable after the cluster is created. */
  readonly addons: readonly string[];
  /** The last edited YAML, kept for its comments. */
  readonly yaml?: string;
}

/** An empty draft. */
export function emptyDraft(environment = ""): Draft {
  return { name: "", environment, labels: {}, spec: {}, addons: [] };
}

/** The spec with another value at a path. Undefined removes the value and parents that become empty. */
export function withValueAt(spec: Parts, path: string, value: unknown): Parts {
  const [name = "", ...below] = path.split(".");
  const { [name]: before, ...others } = spec;
  const after = below.length === 0 ? value : withValueAt(isRecord(before) ? before : {}, below.join("."), value);
  const isLeft = after !== undefined && !(below.length > 0 && isRecord(after) && Object.keys(after).length === 0);
  if (!isLeft) return others;
  // Keeps the key order, so that the YAML does not jump.
  return name in spec ? { ...spec, [name]: after } : { ...others, [name]: after };
}

/** The value at a path as text; undefined if absent. */
export function textAt(spec: Parts, path: string): string | undefined {
  const value = valueAt(spec, path);
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}

/** The additional pools of a spec. Invalid entries, such as incomplete YAML, are omitted from the form. */
export function poolsOf(spec: Parts): readonly PoolDraft[] {
  const pools = valueAt(spec, "workerPools");
  if (!Array.isArray(pools)) return [];
  return pools.filter(
    (pool): pool is PoolDraft =>
      isRecord(pool) && typeof pool["name"] === "string" && typeof pool["replicas"] === "number",
  );
}

/** Whether the form can show every pool of a spec; editing would otherwise drop the others. */
export function arePoolsReadable(spec: Parts): boolean {
  const pools = valueAt(spec, "workerPools");
  return pools === undefined || (Array.isArray(pools) && pools.length === poolsOf(spec).length);
}

/** A pool with a unique name. */
export function newPool(pools: readonly PoolDraft[]): PoolDraft {
  const taken = new Set(pools.map(({ name }) => name));
  const at = Array.from({ length: pools.length + 1 }, (_none, index) => index + 1).find(
    (number) => !taken.has(`pool-${number}`),
  );
  return { name: `pool-${at ?? pools.length + 1}`, replicas: 1 };
}

/** Whether nothing has been entered yet. */
export function isUntouched(draft: Draft): boolean {
  return deepEqual({ ...draft, environment: "" }, emptyDraft());
}

/** Parses a stored draft; undefined if it is not one. */
export function parseDraft(text: string | null): Draft | undefined {
  if (text === null) return undefined;
  const kept = parsed(text);
  if (!isRecord(kept) || !isRecord(kept["labels"]) || !isRecord(kept["spec"])) return undefined;
  const { name, environment, addons, yaml, spec } = kept;
  if (typeof name !== "string" || typeof environment !== "string" || !isTexts(addons)) return undefined;
  const labels = Object.entries(kept["labels"]).filter((entry): entry is [string, string] => isText(entry[1]));
  return {
    name,
    environment,
    labels: Object.fromEntries(labels),
    spec,
    addons,
    ...(isText(yaml) && { yaml }),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not written by this page; a new draft replaces it.
    return undefined;
  }
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(isText);
}
