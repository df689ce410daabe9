import type { JsonPatch } from "@butler/cluster-operations";
import type { ApiClient, ObjectFor } from "@butler/kube";
import type { Kind, KubeObject, ObjectKey } from "@butler/resource";
import { Conflict, NotFound } from "@butler/std";
import { RouteProblem } from "../http/problem.ts";
import type { ServerState } from "../state/state.ts";

export { newObject, replacement } from "@butler/administration";

/** Field manager of the server. */
const fieldManager = "butler-server";

/** Options of a write. */
export interface Writing {
  readonly client: ApiClient;
  readonly state: ServerState;
  readonly signal: AbortSignal;
}

/** Creates an object, and adds it to the cache so that the next read returns it. */
export async function createObject<K extends Kind>(
  { client, state, signal }: Writing,
  kind: K,
  object: KubeObject,
): Promise<ObjectFor<K>> {
  const made = await client
    .create(kind, object, { fieldManager, fieldValidation: "Strict", signal })
    .catch((error: unknown) => {
      throw error instanceof NotFound ? withoutPlace(object.metadata.namespace, error) : error;
    });
  state.caches.noteWrite(kind, made);
  return made;
}

/** A NotFound on create means a missing namespace: the request is invalid, not its path. */
function withoutPlace(namespace: string | undefined, error: NotFound): Error {
  if (namespace === undefined) return error;
  const message = `namespace ${namespace} not found`;
  return new RouteProblem("REFUSED", message, { causes: [{ field: "namespace", reason: "NOT_FOUND", message }] });
}

/** Creates an object as a server-side dry run. */
export function tryObject<K extends Kind>(
  { client, signal }: Pick<Writing, "client" | "signal">,
  kind: K,
  object: KubeObject,
): Promise<ObjectFor<K>> {
  return client.create(kind, object, { fieldManager, fieldValidation: "Strict", dryRun: true, signal });
}

/** A change of an object. */
export type Change = MergeChange | { readonly key: ObjectKey; readonly patch: JsonPatch };

interface MergeChange {
  readonly key: ObjectKey;
  readonly patch: Readonly<Record<string, unknown>>;
  /** The resource version that the update is based on; any if absent. */
  readonly resourceVersion?: string | undefined;
}

/** Changes an object, and updates the cache so that the next read returns the change. */
export async function changeObject<K extends Kind>(
  { client, state, signal }: Writing,
  kind: K,
  change: Change,
): Promise<ObjectFor<K>> {
  try {
    const options = { ...patchOf(change), fieldManager, fieldValidation: "Strict", signal } as const;
    const changed = await client.patch(kind, change.key, options);
    state.caches.noteWrite(kind, changed);
    return changed;
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
    throw new RouteProblem("CONFLICT", "the object was modified since you read it; nothing was written", {
      hint: isJsonChange(change)
        ? "Read the object again and retry."
        : "Read the object again and retry with its resourceVersion.",
    });
  }
}

function patchOf(change: Change): { readonly type: "json" | "merge"; readonly patch: unknown } {
  if (isJsonChange(change)) return { type: "json", patch: change.patch };
  const { patch, resourceVersion } = change;
  const metadata = { ...(patch["metadata"] as object | undefined), ...(resourceVersion && { resourceVersion }) };
  return { type: "merge", patch: { ...patch, ...(Object.keys(metadata).length === 0 ? {} : { metadata }) } };
}

function isJsonChange(change: Change): change is Exclude<Change, MergeChange> {
  return Array.isArray(change.patch);
}

/** Maximum number of attempts of a conflicting change. */
const attempts = 4;

/** Computes a change from the current object, and retries on conflict. */
export async function changeFromCurrent<K extends Kind>(
  writing: Writing & { readonly reader: ApiClient },
  kind: K,
  {
    key,
    decide,
  }: { readonly key: ObjectKey; readonly decide: (current: ObjectFor<K>) => Readonly<Record<string, unknown>> },
): Promise<ObjectFor<K>> {
  for (let attempt = 1; ; attempt++) {
    const current = await writing.reader.get(kind, key, writing.signal);
    try {
      const { resourceVersion } = current.metadata;
      return await changeObject(writing, kind, { key, patch: decide(current), resourceVersion });
    } catch (error) {
      const isConflict = error instanceof RouteProblem && error.code === "CONFLICT";
      if (!isConflict || attempt >= attempts) throw error;
    }
  }
}
