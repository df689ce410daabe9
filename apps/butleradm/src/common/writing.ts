import { explainRefusal } from "@butler/changes";
import { confirmByTyping, type Terminal } from "@butler/cli-kit";
import type { Session } from "@butler/cli-session";
import { AlreadyExists, type ObjectFor } from "@butler/kube";
import { isBeingDeleted, type Kind, type KubeObject, keyOf, keyText, type ObjectKey } from "@butler/resource";
import { Conflict, InvalidInput, NotFound } from "@butler/std";

/** Field manager of all writes. */
export const fieldManager = "butleradm";

/** Maximum attempts of a change on conflicts. */
const attempts = 4;

/** A change, computed from the current object. */
export interface Change<T> {
  readonly key: ObjectKey;
  readonly decide: (current: T) => Readonly<Record<string, unknown>>;
  readonly dryRun?: boolean | undefined;
  readonly subresource?: "status";
}

/** Computes and applies a change from the current object; retries on conflict. */
export async function changeFromCurrent<K extends Kind>(
  { client, signal }: Session,
  kind: K,
  { key, decide, dryRun, subresource }: Change<ObjectFor<K>>,
): Promise<ObjectFor<K>> {
  for (let attempt = 1; ; attempt++) {
    const current = await client.get(kind, key, signal);
    const { resourceVersion } = current.metadata;
    const wanted = decide(current);
    const patch = { ...wanted, metadata: { ...(wanted["metadata"] as object | undefined), resourceVersion } };
    const options = { type: "merge", patch, fieldManager, fieldValidation: "Strict", subresource, signal } as const;
    try {
      return await client.patch(kind, key, { ...options, dryRun });
    } catch (error) {
      const isOvertaken = error instanceof Conflict && !(error instanceof AlreadyExists);
      if (!isOvertaken || attempt >= attempts) throw explainRefusal(`updating ${keyText(key)}`, error);
    }
  }
}

/** Creates an object; `dryRun` only validates it on the server. */
export async function createObject<K extends Kind>(
  { client, signal }: Session,
  kind: K,
  { object, dryRun }: { readonly object: KubeObject; readonly dryRun?: boolean | undefined },
): Promise<ObjectFor<K>> {
  try {
    return await client.create(kind, object, { fieldManager, fieldValidation: "Strict", dryRun, signal });
  } catch (error) {
    const name = keyText(keyOf(object));
    if (error instanceof AlreadyExists) {
      throw new AlreadyExists(`${kind.kind} ${name} already exists`, { details: error.details });
    }
    if (error instanceof NotFound && object.metadata.namespace !== undefined) {
      const message = `namespace ${object.metadata.namespace} not found, or Butler is not installed`;
      throw new NotFound(message, { details: error.details });
    }
    throw explainRefusal(`creating ${kind.kind} ${name}`, error);
  }
}

/** An object to delete. */
export interface Removal {
  readonly kind: Kind;
  readonly object: KubeObject;
  /** How messages refer to it, such as `the team payments`. */
  readonly what: string;
}

/**
 * Deletes exactly this object, not one of the same name that was created since. Returns whether it is deleted already;
 * finalizers may delay it.
 */
export async function deleteObject(
  { client, signal }: Session,
  { kind, object, what }: Removal,
): Promise<"gone" | "going"> {
  const key = keyOf(object);
  const { uid } = object.metadata;
  try {
    if (!isBeingDeleted(object)) await client.delete(kind, key, { uid, signal });
  } catch (error) {
    if (error instanceof NotFound) return "gone";
    if (error instanceof Conflict) {
      throw new Conflict(`${what} was replaced in the meantime; nothing was deleted`, { cause: error });
    }
    throw explainRefusal(`deleting ${what}`, error);
  }
  const left = await client.find(kind, key, signal);
  return left?.metadata.uid === uid ? "going" : "gone";
}

/** Asks for confirmation of a loss, unless `--yes` is given. */
export async function confirmLoss(
  terminal: Terminal,
  { word, loss, yes }: { readonly word: string; readonly loss: string; readonly yes: boolean | undefined },
): Promise<void> {
  if (yes === true) return;
  terminal.say(loss);
  const question = `Type ${word} to confirm:`;
  if (await confirmByTyping(terminal, { word, question, flag: "--yes" })) return;
  throw new InvalidInput(`confirmation does not match ${word}; nothing was changed`);
}
