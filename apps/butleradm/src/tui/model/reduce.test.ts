import { aCluster } from "@butler/diagnosis/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tabIds } from "../tabs/tab.ts";
import { after, aSnapshot, aState, keys, pressing, screenText } from "../testing/some-state.ts";
import { lineWidth, textOf } from "../view/line.ts";
import { screenOf } from "../view/screen.ts";
import { currentList, visibleRows } from "./lists.ts";
import { reduce } from "./reduce.ts";
import type { KeyPress, TuiEvent, TuiState } from "./state.ts";

const live = { state: "live", version: "v1.36.3" } as const;

describe("keys", () => {
  it.each([
    ["2", "clusters", 0],
    ["2jj", "clusters", 2],
    ["2jjk", "clusters", 1],
    ["2G", "clusters", 29],
    ["2Gg", "clusters", 0],
    ["9", "health", 0],
  ])("%s selects a row of %s", (text, tab, index) => {
    const state = after(aState(30), ...keys(text));
    expect([state.tab, currentList(state).index]).toEqual([tab, index]);
  });

  it("cycles through the tabs in both directions", () => {
    const round = after(aState(3), ...keys(...tabIds.map(() => "tab")));
    expect(round.tab).toBe("overview");
    expect(after(round, ...keys("backTab")).tab).toBe("health");
  });

  it("filters by words, applies the filter on Enter and clears it on Escape", () => {
    const filtered = after(aState(30), ...keys("2/", "ready 12", "enter"));
    expect(visibleRows(filtered).map(({ key }) => key)).toEqual([]);
    const named = after(aState(30), ...keys("2/", "cluster-12", "enter"));
    expect(visibleRows(named).map(({ key }) => key)).toEqual(["payments/cluster-12"]);
    expect(screenText(named)).toContain("Filter: “cluster-12”");
    expect(visibleRows(after(named, ...keys("escape")))).toHaveLength(30);
  });

  it("sorts by each column in turn, and reverses the order", () => {
    const byName = after(aState(12), ...keys("2"));
    const first = (state: TuiState) => visibleRows(state)[0]?.key;
    expect(first(byName)).toBe("payments/cluster-0");
    expect(first(after(byName, ...keys("O")))).toBe("payments/cluster-11");
    const byAge = after(byName, ...keys("ooooo"));
    expect(screenText(byAge)).toContain("AGE↑");
    expect(first(byAge)).toBe("payments/cluster-0");
    expect(first(after(byAge, ...keys("O")))).toBe("payments/cluster-11");
  });

  it("quits on q and Ctrl-C, but accepts q as text input", () => {
    expect(pressing(aState(1), "q").effects).toEqual([{ type: "quit" }]);
    const filtering = pressing(aState(1), "2/q");
    expect([filtering.effects, currentList(filtering.state).filter]).toEqual([[], "q"]);
    expect(pressing(filtering.state, "interrupt").effects).toEqual([{ type: "quit" }]);
  });

  it("diagnoses a cluster when it is opened, and repeatedly while it is open", () => {
    const opened = pressing(aState(3), "2", "enter");
    expect(opened.effects).toEqual([{ type: "explain", key: "payments/cluster-0" }]);
    const later = (ms: number) => reduce(opened.state, { type: "tick", nowMs: opened.state.nowMs + ms }).effects;
    expect(later(1_000)).toEqual([]);
    expect(later(5_000)).toEqual([{ type: "explain", key: "payments/cluster-0" }]);
  });

  it("opens the object that needs attention from the overview", () => {
    const { state } = pressing(aState(3), "/", "datacenter", "enter", "enter");
    expect([state.tab, state.details?.key]).toEqual(["networks", "butler-system/datacenter"]);
    expect(screenText(state)).toContain("Networks › butler-system/datacenter");
  });
});

describe("changes", () => {
  const changeOf = (...texts: readonly string[]) =>
    pressing(aState(3), "2", ...texts).effects.flatMap((effect) =>
      effect.type === "perform" ? [effect.change.how] : [],
    );

  const path = "/spec/workers/replicas";
  const scaled = (workers: number) => [
    { op: "test", path, value: 2 },
    { op: "add", path, value: workers },
  ];

  it.each([
    [["s5", "enter", "y"], [{ verb: "patch", type: "json", patch: scaled(5) }]],
    [["s5", "enter", "n"], []],
    [["s5", "enter", "escape"], []],
    [["s2", "enter", "y"], []],
    [["s0", "enter", "y"], []],
    [["szero", "enter", "y"], []],
    [["uv1.99.0", "enter", "y"], []],
    [["d", "cluster-0", "enter"], [{ verb: "delete", uid: "uid-0" }]],
    [["d", "cluster-1", "enter"], []],
    [["dy"], []],
  ])("%j", (texts, expected) => {
    expect(changeOf(...texts)).toEqual(expected);
  });

  it("makes no changes without a connection", () => {
    const stale = { state: "stale", sinceMs: 0, why: "gone" } as const;
    const cut = after(aState(3), { type: "data", snapshot: aSnapshot(3), connection: stale });
    expect(screenText(pressing(cut, "2s").state)).toContain("changes are disabled");
    const asked = pressing(aState(3), "2s5", "enter").state;
    const lost = after(asked, { type: "data", snapshot: aSnapshot(3), connection: stale });
    const { state, effects } = pressing(lost, "y");
    expect([effects, state.notice?.text]).toEqual([[], "Not connected; nothing was changed."]);
  });

  it("shows the result of a change for a while", () => {
    const rejected = after(aState(1), { type: "performed", isDone: false, text: "scaling blue was rejected" });
    expect(screenText(rejected)).toContain("✕ scaling blue was rejected");
    expect(after(rejected, { type: "tick", nowMs: rejected.nowMs + 60_000 }).notice).toBeUndefined();
  });
});

describe("data", () => {
  it("keeps the selection when other rows change", () => {
    const chosen = after(aState(10), ...keys("2jjj"));
    const [, ...rest] = aSnapshot(10).clusters;
    const fewer = after(chosen, { type: "data", snapshot: aSnapshot(0, { clusters: rest }), connection: live });
    expect(currentList(fewer)).toMatchObject({ key: "payments/cluster-3", index: 2 });
  });

  it("selects the next row when the selected one is deleted, and shows that in open details", () => {
    const opened = after(aState(10), ...keys("2G", "enter"));
    const gone = after(opened, { type: "data", snapshot: aSnapshot(9), connection: live });
    expect(screenText(gone)).toContain("This object no longer exists.");
    const back = after(gone, ...keys("escape"));
    expect(currentList(back)).toMatchObject({ key: "payments/cluster-8", index: 8 });
  });

  it("ignores a diagnosis of an object that is no longer open", () => {
    const state = after(aState(3), ...keys("2", "enter", "escape"));
    const explanation = { state: "failed", why: "late" } as const;
    expect(after(state, { type: "explained", key: "payments/cluster-0", explanation })).toBe(state);
  });
});

const someKey: fc.Arbitrary<KeyPress> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .constantFrom(..."123456789jkgGoO/?qsupzdyn ".split(""))
      .map((text) => ({ name: "text", text }) as const),
  },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom(
        "up",
        "down",
        "left",
        "right",
        "pageUp",
        "pageDown",
        "home",
        "end",
        "enter",
        "escape",
        "tab",
        "backTab",
        "backspace",
        "clear",
      )
      .map((name) => ({ name })),
  },
  {
    weight: 1,
    arbitrary: fc
      .string({ unit: "grapheme", minLength: 1, maxLength: 1 })
      .map((text) => ({ name: "text", text }) as const),
  },
);

const someEvent: fc.Arbitrary<TuiEvent> = fc.oneof(
  { weight: 8, arbitrary: someKey.map((key) => ({ type: "key", key }) as const) },
  {
    weight: 1,
    arbitrary: fc
      .record({ columns: fc.integer({ min: 1, max: 220 }), rows: fc.integer({ min: 1, max: 60 }) })
      .map((size) => ({ type: "resize", size }) as const),
  },
  {
    weight: 1,
    arbitrary: fc
      .integer({ min: 0, max: 60 })
      .map((count) => ({ type: "data", snapshot: aSnapshot(count), connection: live }) as const),
  },
  {
    weight: 1,
    arbitrary: fc
      .integer({ min: 0, max: 1e6 })
      .map((more) => ({ type: "tick", nowMs: Date.parse("2026-11-15T12:00:00Z") + more }) as const),
  },
);

describe("any sequence of events", () => {
  it("never throws, keeps the selection in range, and fills exactly the terminal", () => {
    fc.assert(
      fc.property(fc.array(someEvent, { maxLength: 40 }), (events) => {
        let state = aState(20);
        for (const event of events) {
          state = reduce(state, event).state;
          const rows = visibleRows(state);
          const { index, top, key } = currentList(state);
          expect(index).toBeGreaterThanOrEqual(0);
          expect(index).toBeLessThan(Math.max(1, rows.length));
          expect(top).toBeLessThanOrEqual(index);
          if (key !== undefined) expect(rows[index]?.key).toBe(key);
          const lines = screenOf(state);
          expect(lines).toHaveLength(state.size.rows);
          for (const line of lines) {
            expect(lineWidth(line)).toBeLessThanOrEqual(state.size.columns);
            expect(textOf(line)).not.toMatch(/\p{Cc}/u);
          }
        }
      }),
      { numRuns: 150 },
    );
  });
});

describe("names from other users", () => {
  it("cannot inject control characters into the terminal", () => {
    const clusters = [aCluster({ status: { phase: "Failed" }, conditions: ["Ready=False Bad \u001B[2Jgone\nnow"] })];
    const state = after(aState(0), { type: "data", snapshot: aSnapshot(0, { clusters }), connection: live });
    expect(screenText(state)).toContain("[2Jgone now");
    expect(screenText(after(state, ...keys("2", "enter")))).not.toContain("\u001B");
  });
});
