import fc from "fast-check";
import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { ageOf, formatAge } from "./age.ts";
import { printable, shortened } from "./printable.ts";
import { shellCommand, shellQuote } from "./shell-quote.ts";
import { wantsColour } from "./style.ts";

describe("formatAge", () => {
  it.each([
    [0, "0s"],
    [-5, "0s"],
    [59, "59s"],
    [60, "1m"],
    [3599, "59m"],
    [3600, "1h"],
    [86_400, "1d"],
    [13 * 86_400, "13d"],
    [14 * 86_400, "2w"],
    [400 * 86_400, "57w"],
  ])("%i seconds are %s", (seconds, text) => {
    expect(formatAge(seconds * 1000)).toBe(text);
  });

  it("returns an empty text for an unknown time", () => {
    expect(ageOf(undefined, new Date())).toBe("");
    expect(ageOf("2026-01-01T00:00:00Z", new Date("2026-01-01T00:05:00Z"))).toBe("5m");
  });
});

describe("printable", () => {
  it("returns one line without control characters, whatever the input", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(printable(text)).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
        expect(printable(printable(text))).toBe(printable(text));
      }),
    );
    expect(printable("  a\tb\n c  ")).toBe("a b c");
  });

  it("truncates long texts", () => {
    expect(shortened("abcdef", 4)).toBe("abc…");
    expect(shortened("abc", 4)).toBe("abc");
  });
});

describe("shellQuote", () => {
  it("quotes every word so that a shell reads it unchanged", () => {
    for (const word of [
      "blue",
      "it's",
      "a b",
      "$(rm x)",
      "`x`",
      'a"b',
      "",
      "-n",
      "*",
      "a\nb",
      "~",
      "!x",
      "payments/blue",
    ]) {
      expect(execFileSync("sh", ["-c", `printf %s ${shellQuote(word)}`], { encoding: "utf8" })).toBe(word);
    }
  });

  it("does not quote ordinary words", () => {
    expect(shellCommand("butlerctl", "cluster", "get", "blue", "-n", "payments")).toBe(
      "butlerctl cluster get blue -n payments",
    );
  });
});

describe("wantsColour", () => {
  it.each([
    [true, {}, true],
    [false, {}, false],
    [true, { NO_COLOR: "1" }, false],
    [true, { NO_COLOR: "" }, true],
    [true, { BUTLER_NO_COLOR: "1" }, false],
    [true, { TERM: "dumb" }, false],
  ])("terminal %s with %o: %s", (isTerminal, environment, wanted) => {
    expect(wantsColour(isTerminal, environment)).toBe(wanted);
  });
});
