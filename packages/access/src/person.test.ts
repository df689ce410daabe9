import { describe, expect, it } from "vitest";
import { isPlatformAdmin, isSameEmail } from "./person.ts";
import { aUser } from "./testing/objects.ts";

describe("isPlatformAdmin", () => {
  const ada = { email: "ADA@example.com" };

  it.each<[string, Record<string, unknown>, boolean]>([
    ["no role", {}, false],
    ["the role", { platformRole: "admin" }, true],
    ["the older flag", { isPlatformAdmin: true }, true],
    ["the viewer's role", { platformRole: "viewer" }, false],
    ["the role in a disabled account", { platformRole: "admin", disabled: true }, false],
    ["another's role", { email: "bob@example.com", platformRole: "admin" }, false],
  ])("with %s", (_what, spec, expected) => {
    expect(isPlatformAdmin(ada, [aUser(spec)])).toBe(expected);
  });

  it("compares addresses without folding other letters into ASCII", () => {
    expect(isSameEmail(" KIM@example.com", "kim@EXAMPLE.com ")).toBe(true);
    expect(isSameEmail("\u212aim@example.com", "kim@example.com")).toBe(false);
    expect(isSameEmail("k\u0130m@example.com", "kim@example.com")).toBe(false);
  });

  it("is false without an account, and without an email address", () => {
    expect(isPlatformAdmin(ada, [])).toBe(false);
    expect(isSameEmail("", " ")).toBe(false);
  });
});
