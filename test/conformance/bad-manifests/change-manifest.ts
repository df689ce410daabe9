import type { Kind } from "@butler/resource";
import { apiVersionOf } from "@butler/resource";

/** A manifest of a kind. The place is `name` or `namespace/name`. */
export function manifestOf({ kind, ...rest }: Kind, place: string, spec: Record<string, unknown>) {
  const [name, namespace] = place.split("/").reverse();
  return {
    apiVersion: apiVersionOf(rest),
    kind,
    metadata: { name, ...(namespace !== undefined && { namespace }) },
    spec,
  };
}

/** A copy of a manifest with one field below `spec` set, or removed when the value is undefined; `a.0.b` enters lists. */
export function changeSpec(manifest: Record<string, unknown>, path: string, value: unknown): Record<string, unknown> {
  return { ...manifest, spec: changed(manifest["spec"], path.split("."), value) };
}

function changed(parent: unknown, [key = "", ...rest]: readonly string[], value: unknown): unknown {
  if (Array.isArray(parent)) {
    return parent.map((item: unknown, index) => (String(index) !== key ? item : below(item, rest, value)));
  }
  const { [key]: current, ...others } = (parent ?? {}) as Record<string, unknown>;
  const next = below(current, rest, value);
  return next === undefined ? others : { ...others, [key]: next };
}

function below(current: unknown, rest: readonly string[], value: unknown): unknown {
  return rest.length === 0 ? value : changed(current, rest, value);
}
