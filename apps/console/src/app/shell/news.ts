import type { Tone } from "@butler/ui";

/** Something that people want to know, as the channel `notifications` has it. */
export interface Notification {
  readonly id: string;
  readonly title: string;
  readonly message: string;
  readonly severity: "success" | "info" | "warning" | "error";
  readonly timestamp: string;
}

/** How many have come since somebody last looked. Moments of servers are compared as text of the same form. */
export function unreadOf(items: readonly Notification[], readAt: string): number {
  const readMs = readAt === "" ? 0 : Date.parse(readAt);
  return items.filter(({ timestamp }) => Date.parse(timestamp) > readMs).length;
}

/** The newest first. */
export function newestFirst(items: readonly Notification[]): Notification[] {
  return items.toSorted((left, right) => Date.parse(right.timestamp) - Date.parse(left.timestamp));
}

/** The tone of a severity. */
export function toneOf(severity: Notification["severity"]): Tone {
  return ({ success: "ready", info: "asleep", warning: "attention", error: "failed" } as const)[severity];
}
