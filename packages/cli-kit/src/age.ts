import { formatAge } from "@butler/std";

export { formatAge };

/** Age of a timestamp; empty when there is none. */
export function ageOf(moment: string | undefined, now: Date): string {
  return moment === undefined ? "" : formatAge(now.getTime() - Date.parse(moment));
}
