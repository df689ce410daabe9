import type { TeamRole } from "@butler/api";
import { allRoutes, deleteTeam, listClusters, listUsers, scaleCluster } from "@butler/contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { actingRole, isAllowed, refusalOf, rolesOf, type UserRoles } from "./user-roles.ts";

const teamRoles: readonly (TeamRole | undefined)[] = [undefined, "viewer", "operator", "admin"];
const anyRoles = fc.record({
  platformRole: fc.constantFrom(undefined, "viewer" as const, "admin" as const),
  teamRole: fc.constantFrom(...teamRoles),
});

describe("the effective role", () => {
  it.each<[UserRoles, string]>([
    [{}, "none"],
    [{ teamRole: "viewer" }, "viewer"],
    [{ teamRole: "operator" }, "operator"],
    [{ teamRole: "admin" }, "team-admin"],
    [{ platformRole: "admin", teamRole: "viewer" }, "platform-admin"],
    [{ platformRole: "viewer" }, "platform-viewer"],
    [{ platformRole: "viewer", teamRole: "viewer" }, "platform-viewer"],
    [{ platformRole: "viewer", teamRole: "operator" }, "operator"],
  ])("%o acts as %s", (roles, role) => {
    expect(actingRole(roles)).toBe(role);
  });

  it("uses the role in the current team", () => {
    const me = { teams: [{ name: "payments", role: "operator" as const }], platformRole: "viewer" as const };
    expect(rolesOf(me, "payments")).toEqual({ platformRole: "viewer", teamRole: "operator" });
    expect(rolesOf(me, "billing")).toEqual({ platformRole: "viewer", teamRole: undefined });
  });
});

describe("permissions", () => {
  it.each<[UserRoles, boolean, boolean, boolean]>([
    [{}, false, false, false],
    [{ teamRole: "viewer" }, false, false, false],
    [{ teamRole: "operator" }, true, false, false],
    [{ teamRole: "admin" }, true, false, false],
    [{ platformRole: "viewer" }, false, false, true],
    [{ platformRole: "admin" }, true, true, true],
  ])("%o: scale %s, delete the team %s, see users %s", (roles, scale, remove, users) => {
    expect(isAllowed(scaleCluster, roles)).toBe(scale);
    expect(isAllowed(deleteTeam, roles)).toBe(remove);
    expect(isAllowed(listUsers, roles)).toBe(users);
    expect(isAllowed(listClusters, roles)).toBe(true);
  });

  it("refusalOf agrees with isAllowed for every route", () => {
    fc.assert(
      fc.property(fc.constantFrom(...allRoutes), anyRoles, (route, roles) => {
        expect(refusalOf(route, roles) === undefined).toBe(isAllowed(route, roles));
      }),
    );
  });

  it("the platform admin role never removes permissions", () => {
    fc.assert(
      fc.property(fc.constantFrom(...allRoutes), anyRoles, (route, roles) => {
        if (isAllowed(route, roles)) expect(isAllowed(route, { ...roles, platformRole: "admin" })).toBe(true);
      }),
    );
  });
});
