import type { ConditionStatement } from "./conditions.ts";

/**
 * Why something does not happen: an object cannot be created, is not ready, or may not be changed. Reported as a
 * condition, an event or an error, always with the same reason and message.
 */
export interface Blocker {
  /** Machine-readable reason, one CamelCase word: the reason of the condition and of the event. */
  readonly reason: string;
  /** What blocks, with the facts. A fragment, as in the message of a condition. */
  readonly message: string;
  /** What to do about it, in the imperative; absent if it resolves on its own or the message says it. */
  readonly remedy?: string | undefined;
}

/** The message and the remedy in one line: `namespace demo already exists; delete it`. */
export function blockerText({ message, remedy }: Pick<Blocker, "message" | "remedy">): string {
  return remedy === undefined ? message : `${message}; ${remedy}`;
}

/** The condition that reports a blocker: it has status False. */
export function blocked(type: string, blocker: Blocker): ConditionStatement {
  return { type, status: "False", reason: blocker.reason, message: blockerText(blocker) };
}
