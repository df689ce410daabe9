import { Conflict, NotFound } from "@butler/std";

/** For writes of played components that lose against another writer: the next pass sees the result. */
export function ignoreRaces(error: unknown): void {
  if (!(error instanceof Conflict || error instanceof NotFound)) throw error;
}
