import { describe, expect, it } from "vitest";
import { applyMutation, isMeant, type Mutation } from "./mutation.ts";

const mutation: Mutation = {
  harm: "a full team gets more",
  file: "packages/access/src/quota.ts",
  line: "used > limit",
  broken: "used > $& limit",
  test: "packages/access/src/quota.test.ts",
  fails: "judgeQuota refuses",
};

describe("applyMutation", () => {
  it("replaces one text with the other, literally", () => {
    expect(applyMutation("if (used > limit) return;", mutation)).toBe("if (used > $& limit) return;");
  });

  it.each(["used >= limit", "used > limit; used > limit"])("rejects %j", (text) => {
    expect(() => applyMutation(text, mutation)).toThrow(mutation.file);
  });
});

describe("isMeant", () => {
  it.each([
    [[], true],
    [["quota"], true],
    [["access", "refuses"], true],
    [["access", "steward"], false],
  ])("for the words %j: %s", (words, expected) => {
    expect(isMeant(mutation, words)).toBe(expected);
  });
});
