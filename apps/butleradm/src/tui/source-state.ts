import { describeError, Forbidden, NotFound } from "@butler/std";
import type { SourceState } from "./snapshot.ts";

/** What is known about a cache. */
export interface SourceFacts {
  readonly isSynced: boolean;
  readonly isFollowing: boolean;
  readonly lastError: unknown;
  /** How long it has not been followed. */
  readonly silentMs: number;
}

/** Watches end now and then and begin again; only what lasts longer means something. */
const graceMs = 2_000;

/** How it stands with a list. */
export function sourceState({ isSynced, isFollowing, lastError, silentMs }: SourceFacts): SourceState {
  if (isFollowing) return { state: "live" };
  if (lastError instanceof Forbidden) return { state: "refused", why: describeError(lastError) };
  if (lastError instanceof NotFound) return { state: "absent" };
  if (!isSynced) return { state: "waiting" };
  if (silentMs < graceMs) return { state: "live" };
  return { state: "stale", why: lastError === undefined ? "the watch has ended" : describeError(lastError) };
}
