import { namespaces } from "@butler/api";
import { type KubeObject, type ObjectKey, type Resource, rootSchema } from "@butler/resource";
import { isRecord } from "@butler/std";

/** Every item of a list, or every value of a map. */
const each = "*";

type Path = readonly string[];

/** Description of the name in every Secret reference; see `secretRef` and `localRef` of @butler/resource. */
const nameDoc = "Name of the Secret.";

const pathsByKind = new Map<Resource, readonly Path[]>();

/** The paths of Secret references of a kind, derived from its schema, so that none is missed. */
export function secretPaths(resource: Resource): readonly Path[] {
  const known = pathsByKind.get(resource);
  if (known !== undefined) return known;
  const paths = [...walk(rootSchema(resource), [])];
  pathsByKind.set(resource, paths);
  return paths;
}

function* walk(schema: unknown, path: Path): Generator<Path> {
  if (!isRecord(schema)) return;
  const properties = isRecord(schema["properties"]) ? schema["properties"] : {};
  if (isRecord(properties["name"]) && properties["name"]["description"] === nameDoc) yield path;
  for (const [name, inner] of Object.entries(properties)) yield* walk(inner, [...path, name]);
  yield* walk(schema["items"], [...path, each]);
  yield* walk(schema["additionalProperties"], [...path, each]);
}

/** The Secrets that a portable object refers to. */
export function secretsOf(resource: Resource, object: KubeObject): ObjectKey[] {
  const home = object.metadata.namespace ?? namespaces.system;
  return secretPaths(resource)
    .flatMap((path) => valuesAt(object, path))
    .flatMap((reference) => {
      if (!isRecord(reference) || typeof reference["name"] !== "string" || reference["name"] === "") return [];
      const { name, namespace } = reference;
      return [{ name, namespace: typeof namespace === "string" && namespace !== "" ? namespace : home }];
    });
}

function valuesAt(value: unknown, [first, ...rest]: Path): unknown[] {
  if (first === undefined) return value === undefined ? [] : [value];
  if (first === each) {
    const inner = Array.isArray(value) ? value : isRecord(value) ? Object.values(value) : [];
    return inner.flatMap((item) => valuesAt(item, rest));
  }
  return isRecord(value) ? valuesAt(value[first], rest) : [];
}
