import { readList, type Session } from "@butler/cli-session";
import { builtinKinds, isBeingDeleted, type DynamicObject, keyText, type ObjectKey } from "@butler/resource";
import { NotFound } from "@butler/std";
import { butlerKinds } from "./backup-kinds.ts";
import { inOrder } from "./order.ts";
import { isPassing, portable, type PortableObject } from "./portable.ts";
import { secretsOf } from "./secret-references.ts";

/** The contents of a backup. */
export interface Collection {
  readonly objects: readonly PortableObject[];
  /** Referenced Secrets, whether or not they are included. */
  readonly secrets: readonly string[];
  /** Referenced Secrets that do not exist. */
  readonly missingSecrets: readonly string[];
}

/** Reads all objects of Butler's own kinds, their namespaces and, on request, the Secrets that they refer to. */
export async function collect(
  session: Session,
  { withSecrets }: { readonly withSecrets: boolean },
): Promise<Collection> {
  const found: PortableObject[] = [];
  const wanted = new Map<string, ObjectKey>();
  for (const kind of butlerKinds) {
    const live = await listOrNone(session, kind);
    // Objects that are being deleted are not worth restoring.
    const objects = live.filter((object) => !isBeingDeleted(object) && !isPassing(object)).map(portable);
    for (const key of objects.flatMap((object) => secretsOf(kind, object))) wanted.set(keyText(key), key);
    found.push(...objects);
  }
  const secrets = await readSecrets(session, [...wanted.values()]);
  const taken = withSecrets ? secrets.map(portable) : [];
  const places = await readNamespaces(session, [...found, ...taken]);
  return {
    objects: inOrder([...places, ...taken, ...found]),
    secrets: [...wanted.keys()].sort(),
    missingSecrets: [...wanted.keys()].filter((key) => !secrets.some(({ metadata }) => keyText(metadata) === key)),
  };
}

async function listOrNone(session: Session, kind: (typeof butlerKinds)[number]): Promise<DynamicObject[]> {
  try {
    return (await readList(session, kind, {})) as unknown as DynamicObject[];
  } catch (error) {
    if (error instanceof NotFound) return [];
    throw error;
  }
}

async function readSecrets({ client, signal }: Session, keys: readonly ObjectKey[]): Promise<DynamicObject[]> {
  const found = await Promise.all(keys.map((key) => client.find(builtinKinds.Secret, key, signal)));
  return found.filter((secret) => secret !== undefined);
}

async function readNamespaces(
  { client, signal }: Session,
  objects: readonly PortableObject[],
): Promise<PortableObject[]> {
  const names = new Set(objects.flatMap(({ metadata: { namespace } }) => namespace ?? []));
  const found = await Promise.all([...names].map((name) => client.find(builtinKinds.Namespace, { name }, signal)));
  return found.flatMap((namespace) => {
    if (namespace === undefined) return [];
    const { spec: _spec, ...rest } = portable(namespace);
    return [rest];
  });
}
