import type { TeamRole } from "@butler/api";
import { allRoutes, deleteTeam, listClusters, listUsers, scaleCluster } from "@butler/contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { actingRole, isAllowed, refusalOf, type Standing, standingOf } from "./standing.ts";

const teamRoles: readonly (TeamRole | undefined)[] = [undefined, "viewer", "operator", "admin"];
const standings = fc.record({
  platformRole: fc.constantFrom(undefined, "viewer" as const, "admin" as const),
  teamRole: fc.constantFrom(...teamRoles),
});

describe("the effective role", () => {
  it.each<[Standing, string]>([
    [{}, "none"],
    [{ teamRole: "viewer" }, "viewer"],
    [{ teamRole: "operator" }, "operator"],
    [{ teamRole: "admin" }, "team-admin"],
    [{ platformRole: "admin", teamRole: "viewer" }, "platform-admin"],
    [{ platformRole: "viewer" }, "platform-viewer"],
    [{ platformRole: "viewer", teamRole: "viewer" }, "platform-viewer"],
    [{ platformRole: "viewer", teamRole: "operator" }, "operator"],
  ])("%o acts as %s", (standing, role) => {
    expect(actingRole(standing)).toBe(role);
  });

  it("uses the role in the current team", () => {
    const me = { teams: [{ name: "payments", role: "operator" as const }], platformRole: "viewer" as const };
    expect(standingOf(me, "payments")).toEqual({ platformRole: "viewer", teamRole: "operator" });
    expect(standingOf(me, "billing")).toEqual({ platformRole: "viewer", teamRole: undefined });
  });
});

describe("permissions", () => {
  it.each<[Standing, boolean, boolean, boolean]>([
    [{}, false, false, false],
    [{ teamRole: "viewer" }, false, false, false],
    [{ teamRole: "operator" }, true, false, false],
    [{ teamRole: "admin" }, true, false, false],
    [{ platformRole: "viewer" }, false, false, true],
    [{ platformRole: "admin" }, true, true, true],
  ])("%o: scale %s, delete the team %s, see users %s", (standing, scale, remove, users) => {
    expect(isAllowed(scaleCluster, standing)).toBe(scale);
    expect(isAllowed(deleteTeam, standing)).toBe(remove);
    expect(isAllowed(listUsers, standing)).toBe(users);
    expect(isAllowed(listClusters, standing)).toBe(true);
  });

  it("refusalOf agrees with isAllowed for every route", () => {
    fc.assert(
      fc.property(fc.constantFrom(...allRoutes), standings, (route, standing) => {
        expect(refusalOf(route, standing) === undefined).toBe(isAllowed(route, standing));
      }),
    );
  });

  it("the platform admin role never removes permissions", () => {
    fc.assert(
      fc.property(fc.constantFrom(...allRoutes), standings, (route, standing) => {
        if (isAllowed(route, standing)) expect(isAllowed(route, { ...standing, platformRole: "admin" })).toBe(true);
      }),
    );
  });
});
