import type { ApiClient, ObjectFor } from "@butler/kube";
import type { Kind, KubeObject, ObjectKey } from "@butler/resource";
import { Conflict, NotFound } from "@butler/std";
import { RouteProblem } from "../http/problem.ts";
import type { ServerState } from "../state/state.ts";

export { newObject, replacement } from "@butler/administration";

/** Who is named as the writer of fields. */
const fieldManager = "butler-server";

/** What a write needs. */
export interface Writing {
  readonly client: ApiClient;
  readonly state: ServerState;
  readonly signal: AbortSignal;
}

/** Makes an object; what the next read shows has it in it. */
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

/** All that can be missing when something is made is where it is to be: the request is at fault, not its address. */
function withoutPlace(namespace: string | undefined, error: NotFound): Error {
  if (namespace === undefined) return error;
  const message = `there is no namespace ${namespace}`;
  return new RouteProblem("REFUSED", message, { causes: [{ field: "namespace", reason: "NOT_FOUND", message }] });
}

/** Says what making an object would come to, and makes nothing. */
export function tryObject<K extends Kind>(
  { client, signal }: Pick<Writing, "client" | "signal">,
  kind: K,
  object: KubeObject,
): Promise<ObjectFor<K>> {
  return client.create(kind, object, { fieldManager, fieldValidation: "Strict", dryRun: true, signal });
}

/** A change of an object, as a merge patch. */
export interface Change {
  readonly key: ObjectKey;
  readonly patch: Readonly<Record<string, unknown>>;
  /** The version that the change is meant for; any when absent. */
  readonly resourceVersion?: string | undefined;
}

/** Changes an object; what the next read shows has the change in it. */
export async function changeObject<K extends Kind>(
  { client, state, signal }: Writing,
  kind: K,
  { key, patch, resourceVersion }: Change,
): Promise<ObjectFor<K>> {
  const metadata = { ...(patch["metadata"] as object | undefined), ...(resourceVersion && { resourceVersion }) };
  try {
    const changed = await client.patch(kind, key, {
      type: "merge",
      patch: { ...patch, ...(Object.keys(metadata).length === 0 ? {} : { metadata }) },
      fieldManager,
      fieldValidation: "Strict",
      signal,
    });
    state.caches.noteWrite(kind, changed);
    return changed;
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
    throw new RouteProblem("CONFLICT", "it has changed since you read it; nothing was written", {
      hint: "Read it again, and send the change with its resourceVersion.",
    });
  }
}

/** How often a change that somebody else's got in the way of is worked out anew. */
const attempts = 4;

/** Works a change out from the object as it is, anew when somebody else was faster. */
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
