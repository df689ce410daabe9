/**
 * What a cell of a pool drawing says about its addresses. A command line gives each a colour, and the glyph does
 * without.
 */
export type CellStyle = "free" | "partial" | "full" | "reserved" | "quarantined" | "infrastructure" | "unmanaged";

/** Neighbouring cells of one style, a glyph for each. */
export interface CellRun {
  readonly style: CellStyle;
  readonly text: string;
}

/** One line of cells. */
export interface PoolRow {
  /** The first address of the line, padded to the width of all labels; empty without space for labels. */
  readonly label: string;
  readonly cells: readonly CellRun[];
}

/** Meaning of the glyphs of a style. */
export interface LegendEntry {
  readonly style: CellStyle;
  readonly glyphs: string;
  readonly text: string;
}

/** A pool as lines of cells, each with the same number of addresses. */
export interface PoolDrawing {
  readonly rows: readonly PoolRow[];
  /** The styles that occur. */
  readonly legend: readonly LegendEntry[];
  readonly addressesPerCell: bigint;
  /** Number of addresses per cell, as a sentence without a full stop. */
  readonly scale: string;
  /** Number of columns of the drawing. */
  readonly width: number;
}

/** All styles with their glyphs; a partly used cell has a darker glyph the more of it is in use. */
export const cellLegend: readonly LegendEntry[] = [
  { style: "free", glyphs: "·", text: "free" },
  { style: "partial", glyphs: "░▒▓", text: "partly in use" },
  { style: "full", glyphs: "█", text: "in use" },
  { style: "quarantined", glyphs: "~", text: "in quarantine" },
  { style: "infrastructure", glyphs: "#", text: "infrastructure" },
  { style: "reserved", glyphs: "=", text: "reserved" },
  { style: "unmanaged", glyphs: "-", text: "not managed" },
];

/** The gap between a label and its cells. */
export const labelGap = "  ";

/** The drawing as lines for a terminal: the cells, then the legend. Painting must not change the width. */
export function drawingLines(
  drawing: PoolDrawing,
  paint: (style: CellStyle, text: string) => string = (_style, text) => text,
): string[] {
  const rows = drawing.rows.map(({ label, cells }) => {
    const painted = cells.map(({ style, text }) => paint(style, text)).join("");
    return label === "" ? painted : `${label}${labelGap}${painted}`;
  });
  const entries = drawing.legend.map(({ style, glyphs, text }) => ({
    width: glyphs.length + 1 + text.length,
    text: `${paint(style, glyphs)} ${text}`,
  }));
  return [...rows, "", ...flow(entries, drawing.width), drawing.scale];
}

/** Wraps entries to lines. Their texts may contain invisible characters, so each entry has a width. */
function flow(entries: readonly { readonly width: number; readonly text: string }[], width: number): string[] {
  const gap = 3;
  const lines: { width: number; texts: string[] }[] = [];
  for (const entry of entries) {
    const line = lines.at(-1);
    if (line !== undefined && line.width + gap + entry.width <= width) {
      line.width += gap + entry.width;
      line.texts.push(entry.text);
    } else lines.push({ width: entry.width, texts: [entry.text] });
  }
  return lines.map(({ texts }) => texts.join(" ".repeat(gap)));
}
