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

  it("is false without an account, and without an email address", () => {
    expect(isPlatformAdmin(ada, [])).toBe(false);
    expect(isSameEmail("", " ")).toBe(false);
  });
});
