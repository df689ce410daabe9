/** What a cell of a drawn pool says about its addresses. A command line gives each a colour, and the glyph does without. */
export type CellStyle = "free" | "partial" | "full" | "reserved" | "quarantined" | "infrastructure" | "unmanaged";

/** Neighbouring cells of one style, a glyph for each. */
export interface CellRun {
  readonly style: CellStyle;
  readonly text: string;
}

/** One line of cells. */
export interface PoolRow {
  /** The first address of the line, as wide as every other label; empty when there is no room for labels. */
  readonly label: string;
  readonly cells: readonly CellRun[];
}

/** What the glyphs of a style stand for. */
export interface LegendEntry {
  readonly style: CellStyle;
  readonly glyphs: string;
  readonly text: string;
}

/** A pool as lines of cells, each of which stands for equally many addresses. */
export interface PoolDrawing {
  readonly rows: readonly PoolRow[];
  /** The styles that occur. */
  readonly legend: readonly LegendEntry[];
  readonly addressesPerCell: bigint;
  /** How much a cell stands for, as a sentence without its full stop. */
  readonly scale: string;
  /** How many columns the drawing was made for. */
  readonly width: number;
}

/** Every style with its glyphs; a cell that is partly in use has the darker one the more of it is. */
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

/** The drawing as lines for a terminal: the cells, then the legend. What is painted must not become wider. */
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

/** As many entries in a line as fit. Their texts may hold invisible characters, so that each comes with its width. */
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
