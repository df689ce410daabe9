/** What of a list of rows is in sight: how far it is scrolled, and how much is seen at once. */
export interface Sight {
  readonly top: number;
  readonly height: number;
}

/** Rows from the first up to, and without, the end. */
export interface RowWindow {
  readonly first: number;
  readonly end: number;
}

/** Rows that are kept beyond each edge, and how many come and go together: small steps change nothing. */
const spare = 3;
const step = 2;

/** The rows that have to be in the page. */
export function rowWindow({ top, height }: Sight, rowHeight: number, count: number): RowWindow {
  const first = Math.floor((top / rowHeight - spare) / step) * step;
  const end = Math.ceil(((top + height) / rowHeight + spare) / step) * step;
  return { first: Math.min(count, Math.max(0, first)), end: Math.max(0, Math.min(count, end)) };
}

/** How far to scroll so that a row is in sight, and no further. */
export function scrollTopFor(index: number, { top, height }: Sight, rowHeight: number): number {
  const [start, end] = [index * rowHeight, (index + 1) * rowHeight];
  if (start < top) return start;
  return end > top + height ? end - height : top;
}
