import { formatIpAddress, type IpRange } from "@butler/std";
import { labelGap } from "./pool-drawing.ts";
import { sizeOf } from "./range-set.ts";

/** Layout of a network as lines of cells. */
export interface PoolLayout {
  readonly addressesPerCell: bigint;
  readonly cellsPerRow: number;
  readonly cellCount: number;
  /** The first address of each line; empty without space for labels. */
  readonly labels: readonly string[];
}

/** Available space for a drawing, in characters. */
export interface Room {
  readonly width: number;
  readonly height: number;
}

/** Minimum number of cells per line with a label. */
const leastBesideLabel = 8;
/** Maximum width, so that output written to a file stays readable. */
const mostCharacters = 1_024;

/** The finest layout that fits: a power of two per line and per cell, so that labels are round addresses. */
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
