import type { AuditSegment } from "@butler/api";

/** Position of the export in each chain: the number of the last exported record. */
export type ExportCursors = Readonly<Record<string, number>>;

/** Lines to export, and the resulting positions. */
export interface ExportBatch {
  readonly lines: readonly string[];
  readonly cursors: ExportCursors;
}

/**
 * The next unexported lines of every chain, in order and exactly as stored. Positions of deleted chains are dropped.
 */
export function nextExport(segments: readonly AuditSegment[], cursors: ExportCursors, limit: number): ExportBatch {
  const chains = [...Map.groupBy(segments, ({ spec }) => spec.chain)].sort(([left], [right]) =>
    left < right ? -1 : 1,
  );
  const lines: string[] = [];
  const next: Record<string, number> = {};
  for (const [chain, own] of chains) {
    const done = cursors[chain] ?? 0;
    const fresh = linesAfter(own, { number: done, limit: limit - lines.length });
    lines.push(...fresh.lines);
    if (fresh.last > 0) next[chain] = fresh.last;
  }
  return { lines, cursors: next };
}

/** Lines of one chain after a record number. */
function linesAfter(
  segments: readonly AuditSegment[],
  { number, limit }: { readonly number: number; readonly limit: number },
): { readonly lines: string[]; readonly last: number } {
  const lines: string[] = [];
  let last = number;
  for (const { spec } of segments.toSorted((left, right) => left.spec.sequence - right.spec.sequence)) {
    const isDone = spec.firstRecord + spec.records - 1 <= last;
    if (isDone || lines.length >= limit) continue;
    const own = spec.lines.split("\n").slice(0, spec.records);
    const fresh = own.slice(Math.max(0, last + 1 - spec.firstRecord)).slice(0, limit - lines.length);
    lines.push(...fresh);
    last = Math.max(last, spec.firstRecord - 1) + fresh.length;
  }
  return { lines, last };
}
