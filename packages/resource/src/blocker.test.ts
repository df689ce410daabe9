import { describe, expect, it } from "vitest";
import { blocked, type Blocker, blockerText } from "./blocker.ts";

const taken: Blocker = { reason: "NamespaceTaken", message: "namespace demo already exists" };
const withRemedy: Blocker = { ...taken, remedy: "delete the namespace" };

describe("blockerText", () => {
  it("is the message, followed by the remedy if there is one", () => {
    expect(blockerText(taken)).toBe("namespace demo already exists");
    expect(blockerText(withRemedy)).toBe("namespace demo already exists; delete the namespace");
  });
});

describe("blocked", () => {
  it("is a condition with status False, the reason and the text", () => {
    expect(blocked("Ready", withRemedy)).toEqual({
      type: "Ready",
      status: "False",
      reason: "NamespaceTaken",
      message: "namespace demo already exists; delete the namespace",
    });
  });
});
