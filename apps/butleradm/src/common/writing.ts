import { explainRefusal } from "@butler/changes";
import { confirmByTyping, type Terminal } from "@butler/cli-kit";
import type { Session } from "@butler/cli-session";
import { AlreadyExists, type ObjectFor } from "@butler/kube";
import { isBeingDeleted, type Kind, type KubeObject, keyOf, keyText, type ObjectKey } from "@butler/resource";
import { Conflict, InvalidInput, NotFound } from "@butler/std";

/** Who is named as the writer of fields. */
export const fieldManager = "butleradm";

/** How often a change that somebody else's got in the way of is worked out anew. */
const attempts = 4;

/** A change, by what is to be made of the object as it is. */
export interface Change<T> {
  readonly key: ObjectKey;
  readonly decide: (current: T) => Readonly<Record<string, unknown>>;
  readonly dryRun?: boolean | undefined;
  readonly subresource?: "status";
}

/** Works a change out from the object as it is, anew when somebody else was faster. */
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
      if (!isOvertaken || attempt >= attempts) throw explainRefusal(`changing ${keyText(key)}`, error);
    }
  }
}

/** Makes an object; with `dryRun` only asks whether it could be made. */
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
      throw new AlreadyExists(`there is a ${kind.kind} ${name} already`, { details: error.details });
    }
    if (error instanceof NotFound && object.metadata.namespace !== undefined) {
      const message = `there is no namespace ${object.metadata.namespace}, or Butler is not installed`;
      throw new NotFound(message, { details: error.details });
    }
    throw explainRefusal(`making ${kind.kind} ${name}`, error);
  }
}

/** An object that is to go. */
export interface Removal {
  readonly kind: Kind;
  readonly object: KubeObject;
  /** What it is called in a sentence, such as `the team payments`. */
  readonly what: string;
}

/**
 * Deletes this very object, and no namesake that was made since it was looked at. Says whether it is gone; something may
 * hold it for a while.
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
      throw new Conflict(`${what} is not the one any more that it was; nothing was deleted`, { cause: error });
    }
    throw explainRefusal(`deleting ${what}`, error);
  }
  const left = await client.find(kind, key, signal);
  return left?.metadata.uid === uid ? "going" : "gone";
}

/** Asks before something is lost, unless `--yes` says so. */
export async function confirmLoss(
  terminal: Terminal,
  { word, loss, yes }: { readonly word: string; readonly loss: string; readonly yes: boolean | undefined },
): Promise<void> {
  if (yes === true) return;
  terminal.say(loss);
  const question = `Type ${word} to go on:`;
  if (await confirmByTyping(terminal, { word, question, flag: "--yes" })) return;
  throw new InvalidInput(`that is not ${word}; nothing was changed`);
}
