import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { matchesLabels } from "./label-selector.ts";

const labels = { team: "payments", tier: "", "app.kubernetes.io/name": "etcd" };

describe("matchesLabels", () => {
  it.each([
    "team=payments",
    "team==payments",
    "team!=billing",
    "colour!=blue",
    "team",
    "!colour",
    "tier=",
    "app.kubernetes.io/name=etcd",
    "team=payments,tier=",
    "team=payments, !colour",
    "",
  ])("matches %j", (selector) => {
    expect(matchesLabels(selector, labels)).toBe(true);
  });

  it.each([
    "team=billing",
    "team!=payments",
    "colour",
    "!team",
    "team=",
    "team=payments,colour=blue",
    "constructor",
    "toString!=",
    "__proto__",
  ])("does not match %j", (selector) => {
    expect(matchesLabels(selector, { ...labels, toString: "" })).toBe(false);
  });

  it.each(["team in (payments)", "team in (payments,billing)", "team notin (billing)", "priority>5"])(
    "leaves %j to the API server",
    (selector) => {
      expect(matchesLabels(selector, labels)).toBe(false);
    },
  );

  it.each<[string, boolean]>([
    ["team=payments", false],
    ["team!=payments", true],
    ["!team", true],
    ["team", false],
  ])("treats an object without labels as lacking all of them: %s", (selector, expected) => {
    expect(matchesLabels(selector)).toBe(expected);
  });

  it("selects an object by its own labels, and not once one of them changes", () => {
    const name = fc.stringMatching(/^[a-z]{1,6}$/);
    fc.assert(
      fc.property(fc.dictionary(name, name, { minKeys: 1 }), fc.nat(), (own, pick) => {
        const selector = Object.entries(own)
          .map(([key, value]) => `${key}=${value}`)
          .join(",");
        const [changed = ""] = Object.keys(own).slice(pick % Object.keys(own).length);
        expect(matchesLabels(selector, own)).toBe(true);
        expect(matchesLabels(selector, { ...own, [changed]: "Changed" })).toBe(false);
      }),
    );
  });
});
