import { printable } from "@butler/cli-kit";
import type { ClusterFacts } from "@butler/diagnosis";

/** A line that lists what could not be read; empty when everything was readable. */
export function unreadableLines({ unreadable }: Pick<ClusterFacts, "unreadable">): string[] {
  if (unreadable.length === 0) return [];
  return ["", `Could not read: ${unreadable.map(({ what, why }) => `${what} (${printable(why)})`).join(", ")}.`];
}
