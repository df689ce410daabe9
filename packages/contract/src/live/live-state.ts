import type { LiveMessage } from "./messages.ts";

/** What a client knows of a subscription. */
export interface LiveState {
  readonly objects: ReadonlyMap<string, unknown>;
  /** Where to go on after a break; undefined while nothing is complete. */
  readonly cursor: string | undefined;
  /** Parts of a snapshot that is not complete yet. */
  readonly pending: ReadonlyMap<string, unknown> | undefined;
}

/** Before anything has come. */
export const emptyLiveState: LiveState = { objects: new Map(), cursor: undefined, pending: undefined };

/** Takes in what the server says about a subscription. What is known stays until a snapshot is complete. */
export function applyLive(state: LiveState, message: LiveMessage): LiveState {
  if (message.type === "snapshot") {
    const pending = new Map(message.isFirst ? [] : (state.pending ?? []));
    for (const { key, object } of message.objects) pending.set(key, object);
    if (!message.isLast) return { ...state, pending };
    return { objects: pending, cursor: message.cursor, pending: undefined };
  }
  if (message.type !== "changes") return state;
  const objects = new Map(state.objects);
  for (const { key, object } of message.changed) objects.set(key, object);
  for (const key of message.removed) objects.delete(key);
  return { objects, cursor: message.cursor, pending: undefined };
}
