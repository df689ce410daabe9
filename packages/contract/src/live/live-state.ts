import { keepEqual } from "./keep-equal.ts";
import type { LiveMessage, LiveObject } from "./messages.ts";

/** The client's state of a subscription. */
export interface LiveState {
  readonly objects: ReadonlyMap<string, unknown>;
  /** Where to resume after a disconnect; undefined until the first snapshot is complete. */
  readonly cursor: string | undefined;
  /** Parts of an incomplete snapshot. */
  readonly pending: readonly (readonly LiveObject[])[];
}

/** The state before the first message. */
export const emptyLiveState: LiveState = { objects: new Map(), cursor: undefined, pending: [] };

/** Applies a message of the server. The current objects stay until a new snapshot is complete. */
export function applyLive(state: LiveState, message: LiveMessage): LiveState {
  if (message.type === "snapshot") {
    const pending = [...(message.isFirst ? [] : state.pending), message.objects];
    if (!message.isLast) return { ...state, pending };
    const objects = new Map(pending.flat().map(({ key, object }) => [key, object]));
    return { objects, cursor: message.cursor, pending: [] };
  }
  if (message.type !== "changes") return state;
  const objects = new Map(state.objects);
  for (const { key, object } of message.changed) objects.set(key, keepEqual(objects.get(key), object));
  for (const key of message.removed) objects.delete(key);
  return { objects, cursor: message.cursor, pending: [] };
}
