import { printable } from "@butler/cli-kit";
import type { ClusterFacts } from "@butler/why";

/** What could not be read, as a line for people; nothing when all could. */
export function unreadableLines({ unreadable }: Pick<ClusterFacts, "unreadable">): string[] {
  if (unreadable.length === 0) return [];
  return ["", `Not looked at: ${unreadable.map(({ what, why }) => `${what} (${printable(why)})`).join(", ")}.`];
}
