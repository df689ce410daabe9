import { apiVersionOf, builtinKinds, type DynamicObject, type Kind, type ObjectMeta } from "@butler/resource";

/** Fields that a test specifies; everything else gets an arbitrary value. */
export interface ObjectTraits extends Partial<ObjectMeta> {
  /** The resource version, as a number. */
  readonly version?: number | bigint;
  /** The fields beside metadata: spec, status, data. */
  readonly body?: Readonly<Record<string, unknown>>;
}

/** An object of a kind as returned by the API server. */
export function anObject(kind: Kind, { version = 1, body = {}, ...metadata }: ObjectTraits = {}): DynamicObject {
  const { name = "blue" } = metadata;
  return {
    apiVersion: apiVersionOf(kind),
    kind: kind.kind,
    metadata: {
      name,
      ...(kind.scope === "Namespaced" ? { namespace: "default" } : {}),
      uid: `uid-of-${name}`,
      resourceVersion: String(version),
      ...metadata,
    },
    ...body,
  };
}

/** A ConfigMap. */
export function aConfigMap({ data, ...traits }: ObjectTraits & { data?: Record<string, string> } = {}): DynamicObject {
  return anObject(builtinKinds.ConfigMap, {
    ...traits,
    body: { ...(data === undefined ? {} : { data }), ...traits.body },
  });
}

/** A Secret, with its data given in plain text. */
export function aSecret({
  data = {},
  ...traits
}: ObjectTraits & { data?: Record<string, string> } = {}): DynamicObject {
  const encoded = Object.entries(data).map(([key, text]) => [key, Buffer.from(text).toString("base64")]);
  return anObject(builtinKinds.Secret, { ...traits, body: { data: Object.fromEntries(encoded), ...traits.body } });
}
