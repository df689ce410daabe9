import { describe, expect, it } from "vitest";
import { mayGetKubeconfig, mayOperate, type OperatingFacts } from "./operating.ts";

type Role = "admin" | "operator" | "viewer";

const facts = (role: Role | undefined, access: object = {}, platformRole?: "admin" | "viewer"): OperatingFacts => ({
  me: { email: "ada@example.com", teams: role === undefined ? [] : [{ name: "shop", role }], platformRole },
  team: { name: "shop", environments: [{ name: "dev", clusterCount: 0, access }] },
});
const adasDev = { users: [{ name: "Ada@example.com", role: "operator" }] };

describe("mayOperate", () => {
  it.each([
    ["an operator", facts("operator"), "prod", true],
    ["a viewer", facts("viewer"), "dev", false],
    ["a stranger", facts(undefined, adasDev), "dev", false],
    ["a platform admin", facts(undefined, {}, "admin"), "dev", true],
    ["a platform viewer", facts(undefined, {}, "viewer"), "dev", false],
    ["an operator of dev, in dev", facts("viewer", adasDev), "dev", true],
    ["an operator of dev, in prod", facts("viewer", adasDev), "prod", false],
    ["an operator of dev, in any environment", facts("viewer", adasDev), undefined, true],
    ["another user's role", facts("viewer", { users: [{ name: "bob@x.y", role: "admin" }] }), "dev", false],
    ["a group, which the server resolves", facts("viewer", { groups: [{ name: "g", role: "member" }] }), "dev", true],
  ])("for %s", (_name, given, environment, expected) => expect(mayOperate(given, environment)).toBe(expected));
});

describe("mayGetKubeconfig", () => {
  const adminOfDev = { users: [{ name: "ada@example.com", role: "admin" }] };
  it.each([
    ["an admin", facts("admin"), "", true],
    ["an operator", facts("operator"), "", false],
    ["a platform admin", facts(undefined, {}, "admin"), "", true],
    ["a platform viewer", facts("viewer", {}, "viewer"), "", false],
    ["an operator who is admin of dev, in dev", facts("operator", adminOfDev), "dev", true],
    ["an operator who is admin of dev, outside of environments", facts("operator", adminOfDev), "", false],
    ["an operator of dev, in dev", facts("viewer", adasDev), "dev", false],
  ])("for %s", (_name, given, environment, expected) => expect(mayGetKubeconfig(given, environment)).toBe(expected));
});
