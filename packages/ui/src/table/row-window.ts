/** Scroll offset and visible height of a list. */
export interface Sight {
  readonly top: number;
  readonly height: number;
}

/** A half-open range of rows. */
export interface RowWindow {
  readonly first: number;
  readonly end: number;
}

/** Overscan rows beyond each edge, and the step in which the window moves. */
const spare = 3;
const step = 2;

/** The rows to render. */
export function rowWindow({ top, height }: Sight, rowHeight: number, count: number): RowWindow {
  const first = Math.floor((top / rowHeight - spare) / step) * step;
  const end = Math.ceil(((top + height) / rowHeight + spare) / step) * step;
  return { first: Math.min(count, Math.max(0, first)), end: Math.max(0, Math.min(count, end)) };
}

/** The minimal scroll offset that makes a row visible. */
export function scrollTopFor(index: number, { top, height }: Sight, rowHeight: number): number {
  const [start, end] = [index * rowHeight, (index + 1) * rowHeight];
  if (start < top) return start;
  return end > top + height ? end - height : top;
}
