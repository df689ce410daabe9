import { keepEqual } from "./keep-equal.ts";
import type { LiveMessage, LiveObject } from "./messages.ts";

/** What a client knows of a subscription. */
export interface LiveState {
  readonly objects: ReadonlyMap<string, unknown>;
  /** Where to go on after a break; undefined while nothing is complete. */
  readonly cursor: string | undefined;
  /** Parts of a snapshot that is not complete yet. */
  readonly pending: readonly (readonly LiveObject[])[];
}

/** Before anything has come. */
export const emptyLiveState: LiveState = { objects: new Map(), cursor: undefined, pending: [] };

/** Takes in what the server says about a subscription. What is known stays until a snapshot is complete. */
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
