import { annotations } from "@butler/api";
import { parseDurationMs } from "@butler/std";
import type { Use } from "./demand.ts";
import { type Observed, settingsOf } from "./observed.ts";
import { type Block, usedIn } from "./stock.ts";

/** A change of the annotation that records since when a claim's addresses are unused. */
export interface UseNote {
  readonly block: Block;
  /** Undefined removes the annotation, because the addresses are in use again. */
  readonly unusedSince: string | undefined;
}

/** Actions for unused addresses. */
export interface Shrinking {
  readonly notes: readonly UseNote[];
  /** Blocks that have been unused for long enough and are not needed by waiting Services. */
  readonly due: readonly Block[];
  /** When the next one will be, in milliseconds. */
  readonly nextLookMs?: number | undefined;
}

/**
 * Finds added blocks that have been unused for a while, youngest first. A block that waiting Services need is kept,
 * because it would only be requested again.
 */
export function planShrinking(observed: Observed, { blocks, addresses, demands }: Use, now: Date): Shrinking {
  const shrinkAfterMs = parseDurationMs(settingsOf(observed).shrinkAfter);
  const notes: UseNote[] = [];
  const due: Block[] = [];
  const times: number[] = [];
  const spare = new Map(demands.map(({ family, free, waiting }) => [family, free - waiting]));
  for (const block of blocks.filter(({ isGrowth }) => isGrowth).toReversed()) {
    const sinceMs = unusedSinceMs(block, now);
    if (usedIn(block, addresses) > 0) {
      if (noteOf(block) !== undefined) notes.push({ block, unusedSince: undefined });
      continue;
    }
    if (sinceMs === undefined) notes.push({ block, unusedSince: now.toISOString() });
    const dueMs = (sinceMs ?? now.getTime()) + shrinkAfterMs;
    if (sinceMs === undefined || dueMs > now.getTime()) {
      times.push(dueMs);
      continue;
    }
    const left = (spare.get(block.range.family) ?? 0) - block.size;
    if (left < 0) continue;
    spare.set(block.range.family, left);
    due.push(block);
  }
  return { notes, due, nextLookMs: times.length === 0 ? undefined : Math.min(...times) };
}

function noteOf({ claim }: Block): string | undefined {
  return claim.metadata.annotations?.[annotations.unusedSince];
}

/** An annotation that is invalid, or in the future, is reset. */
function unusedSinceMs(block: Block, now: Date): number | undefined {
  const time = Date.parse(noteOf(block) ?? "");
  return Number.isNaN(time) || time > now.getTime() ? undefined : time;
}
