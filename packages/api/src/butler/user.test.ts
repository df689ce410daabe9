import { parseObject } from "@butler/resource";
import { describe, expect, it } from "vitest";
import { effectivePlatformRole, User } from "./user.ts";

const role = (spec: Record<string, unknown>) =>
  effectivePlatformRole(
    parseObject(User, {
      apiVersion: "butler.butlerlabs.dev/v1alpha1",
      kind: "User",
      metadata: { name: "ada" },
      spec: { email: "ada@example.com", ...spec },
    }).spec,
  );

describe("effectivePlatformRole", () => {
  it.each([
    [{}, undefined],
    [{ platformRole: "" }, undefined],
    [{ platformRole: "viewer" }, "viewer"],
    [{ platformRole: "admin" }, "admin"],
    [{ isPlatformAdmin: true }, "admin"],
    [{ isPlatformAdmin: true, platformRole: "viewer" }, "admin"],
    [{ isPlatformAdmin: false, platformRole: "viewer" }, "viewer"],
  ])("reads %o as %s", (spec, expected) => {
    expect(role(spec)).toBe(expected);
  });
});
