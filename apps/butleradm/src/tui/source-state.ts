import { describeError, Forbidden, NotFound } from "@butler/std";
import type { SourceState } from "./snapshot.ts";

/** Facts about a cache. */
export interface SourceFacts {
  readonly isSynced: boolean;
  readonly isFollowing: boolean;
  readonly lastError: unknown;
  /** Time since the watch ended. */
  readonly silentMs: number;
}

/** Watches regularly end and restart; only longer gaps matter. */
const graceMs = 2_000;

/** The state of a list. */
export function sourceState({ isSynced, isFollowing, lastError, silentMs }: SourceFacts): SourceState {
  if (isFollowing) return { state: "live" };
  if (lastError instanceof Forbidden) return { state: "refused", why: describeError(lastError) };
  if (lastError instanceof NotFound) return { state: "absent" };
  if (!isSynced) return { state: "waiting" };
  if (silentMs < graceMs) return { state: "live" };
  return { state: "stale", why: lastError === undefined ? "the watch has ended" : describeError(lastError) };
}
