import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { matchesPattern, matchesRule, parseRulesFile, parseRuleWord, type Rule } from "./rules.ts";

describe("matchesPattern", () => {
  it.each([
    ["prod-*", "prod-blue", true],
    ["prod-*", "prod-", true],
    ["prod-*", "my-prod-blue", false],
    ["*prod*", "my-prod-blue", true],
    ["*", "", true],
    ["a?c", "abc", true],
    ["a?c", "ac", false],
    ["a.c", "abc", false],
    ["", "", true],
    ["a**b", "ab", true],
  ])("%j and %j", (pattern, text, isMatch) => expect(matchesPattern(pattern, text)).toBe(isMatch));

  it("matches like the equivalent regular expression", () => {
    const letters = fc.string({ unit: fc.constantFrom("a", "b", "*", "?", "."), maxLength: 8 });
    const text = fc.string({ unit: fc.constantFrom("a", "b", "."), maxLength: 8 });
    fc.assert(
      fc.property(letters, text, (pattern, given) => {
        const source = pattern
          .replaceAll(".", String.raw`\.`)
          .replaceAll("*", ".*")
          .replaceAll("?", ".");
        expect(matchesPattern(pattern, given)).toBe(new RegExp(`^${source}$`).test(given));
      }),
    );
  });

  it("is fast for every pattern", () => {
    expect(matchesPattern("*a".repeat(100) + "b", "a".repeat(2_000))).toBe(false);
  });
});

describe("matchesRule", () => {
  const subject = { name: "blue", namespace: "payments", team: "payments", labels: { tier: "gold" } };
  it.each<[string, Partial<Rule>, boolean]>([
    ["all conditions", { name: "b*", namespace: "payments", team: "pay*", labels: { tier: "go?d" } }, true],
    ["another name", { name: "c*" }, false],
    ["another label", { name: "b*", labels: { tier: "silver" } }, false],
    ["a missing label", { labels: { other: "*" } }, false],
    ["a label that is an inherited property of objects", { labels: { constructor: "*" } }, false],
  ])("%s", (_what, conditions, isMatch) => {
    expect(matchesRule({ environment: "prod", ...conditions }, subject)).toBe(isMatch);
  });
});

describe("rules", () => {
  it("are parsed from arguments and files", () => {
    expect(parseRuleWord("prod=name:prod-*,namespace:payments,label:tier=gold,label:x.io/y=*")).toEqual({
      environment: "prod",
      name: "prod-*",
      namespace: "payments",
      labels: { tier: "gold", "x.io/y": "*" },
    });
    expect(
      parseRulesFile("f", "rules:\n- {environment: dev, team: search}\n- {environment: prod, labels: {a: b}}"),
    ).toEqual([
      { environment: "dev", team: "search" },
      { environment: "prod", labels: { a: "b" } },
    ]);
  });

  it.each([
    "prod",
    "=name:x",
    "prod=",
    "prod=x",
    "prod=name:",
    "prod=size:3",
    "prod=label:a",
    "-x=name:y",
    "p=name:a,name:b",
  ])("are rejected as %j", (word) => expect(() => parseRuleWord(word)).toThrow("is invalid"));

  it.each([
    "",
    "rules: []",
    "rules: [1]",
    "rules: [{environment: dev}]",
    "rules: [{environment: dev, name: 3}]",
    "a: [",
    "rules: [{environment: a, labels: {}}]",
  ])("are rejected in a file such as %j", (text) => expect(() => parseRulesFile("f", text)).toThrow("is invalid"));
});
