import { deepEqual, isRecord } from "@butler/std";

/** Part of a spec, as people write it. */
export type Parts = Readonly<Record<string, unknown>>;

/** A further pool of worker machines, as the form writes it. */
export interface PoolDraft extends Parts {
  readonly name: string;
  readonly replicas: number;
}

/** A cluster that somebody is about to ask for. Its spec is that of the manifest, so that form and YAML lose nothing. */
export interface Draft {
  readonly name: string;
  /** Empty for none. */
  readonly environment: string;
  /** Labels other than the environment. */
  readonly labels: Readonly<Record<string, string>>;
  /** TenantCluster.spec without the team, which is that of the page. */
  readonly spec: Parts;
  /** Entries of the catalogue that are installed once the cluster is asked for. */
  readonly addons: readonly string[];
  /** The YAML as somebody wrote it last, for the sake of its comments. */
  readonly yaml?: string;
}

/** A draft in which everything is left open. */
export function emptyDraft(environment = ""): Draft {
  return { name: "", environment, labels: {}, spec: {}, addons: [] };
}

/** What is at a path such as `workers.machineTemplate.cpu`; undefined when nothing is. */
export function valueAt(spec: Parts, path: string): unknown {
  return path.split(".").reduce<unknown>((part, name) => (isRecord(part) ? part[name] : undefined), spec);
}

/** The spec with another value at a path. Undefined takes the value away, and parts that nothing is left in. */
export function withValueAt(spec: Parts, path: string, value: unknown): Parts {
  const [name = "", ...below] = path.split(".");
  const { [name]: before, ...others } = spec;
  const after = below.length === 0 ? value : withValueAt(isRecord(before) ? before : {}, below.join("."), value);
  const isLeft = after !== undefined && !(below.length > 0 && isRecord(after) && Object.keys(after).length === 0);
  if (!isLeft) return others;
  // In its old place, so that what people see does not jump.
  return name in spec ? { ...spec, [name]: after } : { ...others, [name]: after };
}

/** The text at a path: numbers as they are written, nothing as nothing. */
export function textAt(spec: Parts, path: string): string | undefined {
  const value = valueAt(spec, path);
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}

/** The further pools of a spec. What is no pool, such as half-written YAML, is left out of the form. */
export function poolsOf(spec: Parts): readonly PoolDraft[] {
  const pools = valueAt(spec, "workerPools");
  if (!Array.isArray(pools)) return [];
  return pools.filter(
    (pool): pool is PoolDraft =>
      isRecord(pool) && typeof pool["name"] === "string" && typeof pool["replicas"] === "number",
  );
}

/** Whether a form can show every pool of a spec; changing some would lose those that it cannot show. */
export function arePoolsReadable(spec: Parts): boolean {
  const pools = valueAt(spec, "workerPools");
  return pools === undefined || (Array.isArray(pools) && pools.length === poolsOf(spec).length);
}

/** A pool with a name that no other one has. */
export function newPool(pools: readonly PoolDraft[]): PoolDraft {
  const taken = new Set(pools.map(({ name }) => name));
  const at = Array.from({ length: pools.length + 1 }, (_none, index) => index + 1).find(
    (number) => !taken.has(`pool-${number}`),
  );
  return { name: `pool-${at ?? pools.length + 1}`, replicas: 1 };
}

/** Whether nothing has been written yet. */
export function isUntouched(draft: Draft): boolean {
  return deepEqual({ ...draft, environment: "" }, emptyDraft());
}

/** A draft as it was kept; undefined for anything else that may be found in its place. */
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
    // Whatever it is, it was not put there by this page; a new draft takes its place.
    return undefined;
  }
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(isText);
}
