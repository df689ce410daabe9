import { formatIpAddress, type IpRange } from "@butler/std";
import { labelGap } from "./pool-drawing.ts";
import { sizeOf } from "./range-set.ts";

/** How a network is cut into lines of cells. */
export interface PoolLayout {
  readonly addressesPerCell: bigint;
  readonly cellsPerRow: number;
  readonly cellCount: number;
  /** The first address of each line; none when there is no room for them. */
  readonly labels: readonly string[];
}

/** The room for a drawing, in characters. */
export interface Room {
  readonly width: number;
  readonly height: number;
}

/** Fewer cells in a line are not worth their label. */
const leastBesideLabel = 8;
/** No terminal has more, and a file that one writes to should stay readable. */
const mostCharacters = 1_024;

/** The finest drawing that fits: a power of two in a line, and in a cell, so that labels are round addresses. */
export function layOut(network: IpRange, { width, height }: Room): PoolLayout {
  const columns = clamp(width);
  const rows = clamp(height);
  for (let cells = powerUpTo(columns); cells >= leastBesideLabel; cells /= 2) {
    const layout = cut(network, cells, rows);
    const labels = labelsOf(network, layout);
    const used = (labels[0]?.length ?? 0) + labelGap.length + Math.min(layout.cellCount, cells);
    if (used <= columns) return { ...layout, labels };
  }
  return { ...cut(network, powerUpTo(columns), rows), labels: [] };
}

function cut(network: IpRange, cellsPerRow: number, rows: number): Omit<PoolLayout, "labels"> {
  const size = sizeOf(network);
  let addressesPerCell = 1n;
  while (addressesPerCell * BigInt(cellsPerRow * rows) < size) addressesPerCell *= 2n;
  const cellCount = Number((size + addressesPerCell - 1n) / addressesPerCell);
  return { addressesPerCell, cellsPerRow, cellCount };
}

function labelsOf(
  network: IpRange,
  { addressesPerCell, cellsPerRow, cellCount }: Omit<PoolLayout, "labels">,
): string[] {
  const perRow = addressesPerCell * BigInt(cellsPerRow);
  const texts = Array.from({ length: Math.ceil(cellCount / cellsPerRow) }, (_, row) =>
    formatIpAddress({ family: network.family, value: network.first + BigInt(row) * perRow }),
  );
  const longest = Math.max(...texts.map(({ length }) => length));
  return texts.map((text) => text.padEnd(longest));
}

function powerUpTo(most: number): number {
  return 2 ** Math.floor(Math.log2(most));
}

function clamp(characters: number): number {
  return Math.min(mostCharacters, Math.max(1, Math.floor(characters) || 1));
}
