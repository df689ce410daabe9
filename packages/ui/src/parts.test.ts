import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { meterShares } from "./meter.tsx";
import { matchEntries } from "./palette/match.ts";
import { formatAge, formatDuration } from "./time.ts";
import { yamlTokens } from "./yaml-tokens.ts";

describe("yamlTokens", () => {
  it("preserves the line", () => {
    fc.assert(
      fc.property(fc.string(), (line) => {
        fc.pre(!line.includes("\n") && !line.includes("\r"));
        expect(
          yamlTokens(line)
            .map(({ text }) => text)
            .join(""),
        ).toBe(line);
      }),
    );
  });

  it.each([
    ["replicas: 3", ["key", "plain", "value"]],
    ['name: "shop"', ["key", "plain", "text"]],
    ["# a word", ["comment"]],
    ["  - name: x # why", ["plain", "key", "plain", "plain", "comment"]],
  ])("%s", (line, kinds) => {
    expect(yamlTokens(line).map(({ kind }) => kind)).toEqual(kinds);
  });
});

describe("time", () => {
  it.each([
    [0, "0 s"],
    [999, "1 s"],
    [72_000, "1 min 12 s"],
    [3_600_000, "1 h"],
    [90_061_000, "1 d 1 h"],
    [-5, "0 s"],
  ])("%i ms is %s", (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });

  it("formats an age in its largest unit, and a dash for invalid timestamps", () => {
    const now = new Date("2026-06-02T12:00:00Z");
    expect(formatAge("2026-06-01T11:00:00Z", now)).toBe("1 d");
    expect(formatAge(undefined, now)).toBe("–");
    expect(formatAge("nonsense", now)).toBe("–");
  });
});

describe("meterShares", () => {
  it("never exceeds the bar", () => {
    const amount = fc.double({ min: 0, max: 1e6, noNaN: true });
    fc.assert(
      fc.property(amount, amount, amount, (used, asked, limit) => {
        const shares = meterShares({ used, asked, limit });
        expect(shares.used + shares.asked).toBeLessThanOrEqual(100.000001);
        if (limit > 0) expect(shares.isExceeded).toBe(used + asked > limit);
      }),
    );
  });
});

describe("matchEntries", () => {
  const entry = (label: string, group = "Go to") => ({ id: label, label, group, onSelect: () => undefined });
  const entries = [entry("All clusters"), entry("Clusters"), entry("shop", "Cluster")];

  it("matches every word, and ranks prefixes first", () => {
    expect(matchEntries(entries, "clus").map(({ label }) => label)).toEqual(["Clusters", "All clusters", "shop"]);
    expect(matchEntries(entries, "cluster shop").map(({ label }) => label)).toEqual(["shop"]);
    expect(matchEntries(entries, "nothing")).toEqual([]);
    expect(matchEntries(entries, "")).toHaveLength(3);
  });
});
