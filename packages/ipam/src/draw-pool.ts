import type { IpRange } from "@butler/std";
import { cellLegend, type CellRun, type CellStyle, type PoolDrawing } from "./pool-drawing.ts";
import { layOut, type PoolLayout, type Room } from "./pool-layout.ts";
import { managedRanges, type PoolShape, reservedRanges } from "./pool-shape.ts";
import { clip, fused, sizeOf, without } from "./range-set.ts";

/** Addresses of a pool that are in use or in quarantine. */
export interface DrawnBlock {
  readonly range: IpRange;
  readonly kind: "allocated" | "quarantined" | "infrastructure";
}

/** Input of a drawing, and the available space. */
export interface DrawPoolOptions extends Room {
  readonly shape: PoolShape;
  readonly blocks: readonly DrawnBlock[];
}

/** State of an address. If several apply, the first one is used. */
const kinds = ["infrastructure", "quarantined", "allocated", "reserved", "free"] as const;
type Kind = (typeof kinds)[number];
type Tally = Record<Kind, number>;

/** The pool drawn as lines of cells, for a terminal of any size. */
export function drawPool({ shape, blocks, width, height }: DrawPoolOptions): PoolDrawing {
  const layout = layOut(shape.network, { width, height });
  const cells = tallies(shape, blocks, layout).map(cellOf);
  const rows = Array.from({ length: Math.ceil(cells.length / layout.cellsPerRow) }, (_, row) => ({
    label: layout.labels[row] ?? "",
    cells: inRuns(cells.slice(row * layout.cellsPerRow, (row + 1) * layout.cellsPerRow)),
  }));
  const present = new Set(cells.map(({ style }) => style));
  return {
    rows,
    legend: cellLegend.filter(({ style }) => present.has(style)),
    addressesPerCell: layout.addressesPerCell,
    scale: scaleText(shape.network.family, layout.addressesPerCell),
    width,
  };
}

/** Fractions of each cell by state; approximate, because they are only for display. */
function tallies(shape: PoolShape, blocks: readonly DrawnBlock[], layout: PoolLayout): Tally[] {
  const { network } = shape;
  const of = (kind: DrawnBlock["kind"]): IpRange[] =>
    blocks.flatMap((block) => (block.kind === kind ? (clip(block.range, network) ?? []) : []));
  const sets: Record<Kind, readonly IpRange[]> = {
    infrastructure: of("infrastructure"),
    quarantined: of("quarantined"),
    allocated: of("allocated"),
    reserved: reservedRanges(shape),
    free: managedRanges(shape),
  };
  const result = Array.from({ length: layout.cellCount }, () => emptyTally());
  let seen: IpRange[] = [];
  for (const kind of kinds) {
    const set = fused(sets[kind]);
    for (const range of without(set, seen)) share(range, { kind, result, network, layout });
    seen = fused([...seen, ...set]);
  }
  return result;
}

interface Sheet {
  readonly kind: Kind;
  readonly result: readonly Tally[];
  readonly network: IpRange;
  readonly layout: PoolLayout;
}

/** Adds a range to the cells that it covers. */
function share({ first, last }: IpRange, { kind, result, network, layout }: Sheet): void {
  const size = layout.addressesPerCell;
  for (let from = first; from <= last;) {
    const cell = (from - network.first) / size;
    const end = network.first + (cell + 1n) * size - 1n;
    const part = sizeOf({ first: from, last: end < last ? end : last });
    const tally = result[Number(cell)];
    if (tally !== undefined) tally[kind] += Number(part) / Number(size);
    from = end + 1n;
  }
}

function emptyTally(): Tally {
  return { infrastructure: 0, quarantined: 0, allocated: 0, reserved: 0, free: 0 };
}

/** A cell shows addresses in use first, then free addresses, then unavailable ones. */
function cellOf(tally: Tally): CellRun {
  const used = tally.allocated + tally.quarantined + tally.infrastructure;
  if (used > 0 && tally.free > 0) return { style: "partial", text: shade(used / (used + tally.free)) };
  const style = used > 0 ? useOf(tally) : restOf(tally);
  return { style, text: cellLegend.find((entry) => entry.style === style)?.glyphs ?? "" };
}

function useOf({ allocated, quarantined, infrastructure }: Tally): CellStyle {
  if (allocated >= quarantined && allocated >= infrastructure) return "full";
  return quarantined >= infrastructure ? "quarantined" : "infrastructure";
}

function restOf({ free, reserved }: Tally): CellStyle {
  if (free > 0) return "free";
  return reserved >= 0.5 ? "reserved" : "unmanaged";
}

/** The glyph for the used fraction of a cell. */
function shade(used: number): string {
  if (used < 1 / 3) return "░";
  return used < 2 / 3 ? "▒" : "▓";
}

function inRuns(cells: readonly CellRun[]): CellRun[] {
  const runs: CellRun[] = [];
  for (const { style, text } of cells) {
    const before = runs.at(-1);
    if (before?.style === style) runs[runs.length - 1] = { style, text: before.text + text };
    else runs.push({ style, text });
  }
  return runs;
}

function scaleText(family: 4 | 6, addressesPerCell: bigint): string {
  if (addressesPerCell === 1n) return "1 cell = 1 address";
  const prefix = (family === 4 ? 32 : 128) - (addressesPerCell.toString(2).length - 1);
  const isReadable = addressesPerCell <= 2n ** 32n;
  return `1 cell = /${prefix}${isReadable ? `, ${addressesPerCell.toLocaleString("en")} addresses` : ""}`;
}
