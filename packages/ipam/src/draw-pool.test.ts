import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { drawPool, type DrawnBlock } from "./draw-pool.ts";
import { cellLegend, type CellStyle, drawingLines, type PoolDrawing } from "./pool-drawing.ts";
import { poolShapeOf, type PoolSpec } from "./pool-shape.ts";
import { largePool } from "./testing/large-pool.ts";
import { range } from "./testing/networks.ts";
import { propertyRuns } from "./testing/property-runs.ts";
import { rangeOf, shapeOf, smallPool, someCells } from "./testing/small-pool.ts";

const kinds = ["allocated", "quarantined", "infrastructure"] as const;
const block = (kind: DrawnBlock["kind"], text: string): DrawnBlock => ({ kind, range: range(text) });

const office: PoolSpec = {
  cidr: "10.40.0.0/24",
  reserved: [{ cidr: "10.40.0.0/30" }],
  ranges: [{ start: "10.40.0.64", end: "10.40.0.199" }],
};
const officeBlocks = [
  block("infrastructure", "10.40.0.5"),
  block("allocated", "10.40.0.64/28"),
  block("quarantined", "10.40.0.96/29"),
  block("allocated", "10.40.0.104/29"),
];

const stylesOf = ({ rows }: PoolDrawing): CellStyle[] =>
  rows.flatMap(({ cells }) => cells.flatMap(({ style, text }) => Array.from(text, () => style)));

describe("a pool drawing", () => {
  it("has one cell per address if there is enough space", () => {
    const drawing = drawPool({ shape: poolShapeOf(office), blocks: officeBlocks, width: 80, height: 20 });
    expect(drawingLines(drawing)).toEqual([
      "10.40.0.0    ====-#----------------------------------------------------------",
      "10.40.0.64   ████████████████················~~~~~~~~████████················",
      "10.40.0.128  ································································",
      "10.40.0.192  ········--------------------------------------------------------",
      "",
      "· free   █ in use   ~ in quarantine   # infrastructure   = reserved",
      "- not managed",
      "1 cell = 1 address",
    ]);
  });

  it("has one cell for many addresses if the pool is large", () => {
    const blocks = [
      block("allocated", "10.128.0.0/10"),
      block("allocated", "10.64.3.0/30"),
      block("allocated", "10.65.0.0-10.65.31.255"),
      block("allocated", "10.66.0.0-10.66.120.0"),
      block("quarantined", "10.192.0.0/16"),
    ];
    const shape = poolShapeOf({ cidr: "10.0.0.0/8", reserved: [{ cidr: "10.0.0.0/12" }], ranges: [] });
    expect(drawingLines(drawPool({ shape, blocks, width: 48, height: 8 }))).toEqual([
      "10.0.0.0    ================················",
      "10.32.0.0   ································",
      "10.64.0.0   ░░▒·····························",
      "10.96.0.0   ································",
      "10.128.0.0  ████████████████████████████████",
      "10.160.0.0  ████████████████████████████████",
      "10.192.0.0  ~·······························",
      "10.224.0.0  ································",
      "",
      "· free   ░▒▓ partly in use   █ in use",
      "~ in quarantine   = reserved",
      "1 cell = /16, 65,536 addresses",
    ]);
  });

  it("omits unreadably large numbers of addresses", () => {
    const shape = poolShapeOf({ cidr: "2001:db8::/48", ranges: [] });
    const drawing = drawPool({ shape, blocks: [], width: 60, height: 4 });
    expect(drawing.scale).toBe("1 cell = /55");
    expect(drawing.rows.map(({ label }) => label.trimEnd())).toEqual([
      "2001:db8::",
      "2001:db8:0:4000::",
      "2001:db8:0:8000::",
      "2001:db8:0:c000::",
    ]);
  });

  it("omits labels if there is not enough space", () => {
    const drawing = drawPool({ shape: poolShapeOf(office), blocks: [], width: 12, height: 4 });
    expect(drawing.rows.map(({ label }) => label)).toEqual(["", "", "", ""]);
  });

  it.each<[string, readonly DrawnBlock[], string]>([
    ["mostly in use", [block("allocated", "10.0.0.0-10.0.0.11")], "▓"],
    ["half in use", [block("allocated", "10.0.0.0/29")], "▒"],
    ["hardly in use", [block("quarantined", "10.0.0.3")], "░"],
    ["free", [], "·"],
    ["full", [block("allocated", "10.0.0.0/29"), block("quarantined", "10.0.0.8/29")], "█"],
    ["mostly in quarantine", [block("allocated", "10.0.0.0/30"), block("quarantined", "10.0.0.4-10.0.0.15")], "~"],
    [
      "infrastructure before anything else",
      [block("allocated", "10.0.0.0/28"), block("infrastructure", "10.0.0.0/28")],
      "#",
    ],
    ["untouched by what lies elsewhere", [block("allocated", "10.1.0.0/16"), block("allocated", "::/0")], "·"],
  ])("shows a cell that is %s", (_name, blocks, glyph) => {
    const shape = poolShapeOf({ cidr: "10.0.0.0/28", ranges: [] });
    const [row] = drawPool({ shape, blocks, width: 1, height: 1 }).rows;
    expect(row?.cells.map(({ text }) => text)).toEqual([glyph]);
  });

  it("has a distinct glyph for every style", () => {
    const glyphs = cellLegend.flatMap((entry) => Array.from(entry.glyphs));
    expect(new Set(glyphs).size).toBe(glyphs.length);
  });

  it("paints cells and legend, and nothing else", () => {
    const drawing = drawPool({ shape: poolShapeOf(office), blocks: officeBlocks, width: 80, height: 20 });
    const painted = drawingLines(drawing, (style, text) => `<${style}>${text}</>`);
    expect(painted[1]).toBe(
      "10.40.0.64   <full>████████████████</><free>················</><quarantined>~~~~~~~~</><full>████████</><free>················</>",
    );
    expect(painted.map((line) => line.replaceAll(/<.*?>/g, ""))).toEqual(drawingLines(drawing));
  });

  it("fits the available space, and its cells cover the whole network", () => {
    const shape = fc.oneof(largePool(4), largePool(6));
    fc.assert(
      fc.property(shape, fc.integer({ min: -1, max: 210 }), fc.integer({ min: -1, max: 60 }), (pool, width, height) => {
        const drawing = drawPool({ shape: pool, blocks: [], width, height });
        const lines = drawingLines(drawing).slice(0, drawing.rows.length);
        expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(Math.max(1, width));
        expect(lines.length).toBeLessThanOrEqual(Math.max(1, height));
        const size = pool.network.last - pool.network.first + 1n;
        expect(BigInt(stylesOf(drawing).length) * drawing.addressesPerCell).toBe(size);
      }),
      { numRuns: propertyRuns.drawing / 2 },
    );
  });

  it("shows the state of each address", () => {
    const blocks = fc.array(fc.record({ kind: fc.constantFrom(...kinds), cells: someCells(48) }), { maxLength: 6 });
    fc.assert(
      fc.property(smallPool([4, 6]), blocks, (some, given) => {
        const pool = { ...some, unit: 1n };
        const expected = Array.from({ length: pool.size }, (_, cell): CellStyle => {
          const isIn = ({ first, last }: { first: number; last: number }): boolean => cell >= first && cell <= last;
          const own = given.filter(({ cells }) => isIn(cells)).map(({ kind }) => kind);
          if (own.includes("infrastructure")) return "infrastructure";
          if (own.includes("quarantined")) return "quarantined";
          if (own.includes("allocated")) return "full";
          if (pool.reserved.some(isIn)) return "reserved";
          return pool.ranges.length === 0 || pool.ranges.some(isIn) ? "free" : "unmanaged";
        });
        const drawn = given.map(({ kind, cells }) => ({ kind, range: rangeOf(pool, cells) }));
        const drawing = drawPool({ shape: shapeOf(pool), blocks: drawn, width: 80, height: 20 });
        expect(stylesOf(drawing)).toEqual(expected);
        expect(new Set(drawing.legend.map(({ style }) => style))).toEqual(new Set(expected));
      }),
      { numRuns: propertyRuns.drawing / 2 },
    );
  });
});
