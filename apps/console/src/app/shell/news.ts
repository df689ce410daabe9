import type { Tone } from "@butler/ui";

/** A notification of the live channel `notifications`. */
export interface Notification {
  readonly id: string;
  readonly title: string;
  readonly message: string;
  readonly severity: "success" | "info" | "warning" | "error";
  readonly timestamp: string;
}

/** Number of notifications since the list was last opened. */
export function unreadOf(items: readonly Notification[], readAt: string): number {
  const readMs = readAt === "" ? 0 : Date.parse(readAt);
  return items.filter(({ timestamp }) => Date.parse(timestamp) > readMs).length;
}

/** Sorts notifications, newest first. */
export function newestFirst(items: readonly Notification[]): Notification[] {
  return items.toSorted((left, right) => Date.parse(right.timestamp) - Date.parse(left.timestamp));
}

/** Maps a severity to a tone. */
export function toneOf(severity: Notification["severity"]): Tone {
  return ({ success: "ready", info: "asleep", warning: "attention", error: "failed" } as const)[severity];
}
