import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { colourPaint } from "./style.ts";
import { type Column, renderTable, Table } from "./table.ts";

interface Row {
  readonly name: string;
  readonly phase: string;
  readonly node?: string;
}

const columns: readonly Column<Row>[] = [
  { title: "NAME", value: ({ name }) => name },
  { title: "PHASE", value: ({ phase }) => phase, style: ({ phase }) => (phase === "Ready" ? "good" : undefined) },
  { title: "NODE", value: ({ node }) => node ?? "", isWide: true },
];
const rows: readonly Row[] = [
  { name: "blue", phase: "Ready", node: "n1" },
  { name: "a-much-longer-name", phase: "Provisioning" },
];

describe("renderTable", () => {
  it("aligns columns without trailing spaces", () => {
    expect(renderTable(columns, rows)).toEqual([
      "NAME                PHASE",
      "blue                Ready",
      "a-much-longer-name  Provisioning",
    ]);
  });

  it("has more columns when wide, and omits the header on request", () => {
    expect(renderTable(columns, rows, { isWide: true, hasHeader: false })).toEqual([
      "blue                Ready         n1",
      "a-much-longer-name  Provisioning",
    ]);
  });

  it("ignores color codes when aligning", () => {
    const [, first] = renderTable(columns, rows, { isWide: true, paint: colourPaint });
    expect(first).toBe("blue                \u001B[1;32mReady\u001B[0m         n1");
  });

  it("keeps every row on one line and strips control characters", () => {
    const evil = renderTable(columns, [{ name: "a\nb\u001B[31m", phase: "x\u202Ey" }]);
    expect(evil[1]).toBe("a b[31m  xy");
  });

  it("starts each column at the same position in every line, whatever the cells contain", () => {
    const cell = fc.stringMatching(/^[a-z0-9]{1,12}$/);
    fc.assert(
      fc.property(fc.array(fc.record({ name: cell, phase: cell }), { minLength: 1 }), (made) => {
        const lines = renderTable(columns, made);
        const at = lines[0]?.indexOf("PHASE") ?? -1;
        made.forEach(({ phase }, index) => expect(lines[index + 1]?.slice(at)).toBe(phase));
      }),
    );
  });
});

describe("Table", () => {
  it("keeps the column positions for later rows, and widens them for longer cells", () => {
    const table = new Table(columns, {});
    expect(table.start([rows[0] as Row])).toEqual(["NAME  PHASE", "blue  Ready"]);
    expect(table.row({ name: "b", phase: "Ready" })).toBe("b     Ready");
    expect(table.row({ name: "longer-name", phase: "Ready" })).toBe("longer-name  Ready");
    expect(table.row({ name: "b", phase: "Ready" })).toBe("b            Ready");
  });
});
