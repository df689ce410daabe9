import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { includesRole, resolveTeams, teamRoleOf } from "./team-role.ts";
import { aTeam } from "./testing/objects.ts";

const ada = { email: "ada@example.com", groups: ["developers"] };

describe("teamRoleOf", () => {
  it.each<[string, Record<string, unknown>, string | undefined]>([
    ["no user", {}, undefined],
    ["another user", { users: [{ name: "bob@example.com", role: "admin" }] }, undefined],
    ["named", { users: [{ name: "ada@example.com", role: "operator" }] }, "operator"],
    ["named in capitals", { users: [{ name: " ADA@Example.com ", role: "operator" }] }, "operator"],
    ["named without a role", { users: [{ name: "ada@example.com" }] }, "viewer"],
    ["an old member", { users: [{ name: "ada@example.com", role: "member" }] }, "operator"],
    ["in a group", { groups: [{ name: "developers", role: "admin" }] }, "admin"],
    ["in a group of a directory", { groups: [{ name: "CN=Developers,OU=Groups", role: "admin" }] }, undefined],
    ["in a group of a domain", { groups: [{ name: "developers@corp.example", role: "viewer" }] }, undefined],
    ["in another group", { groups: [{ name: "developers-2", role: "admin" }] }, undefined],
    ["in a group of a provider", { groups: [{ name: "developers", role: "admin", identityProvider: "x" }] }, undefined],
    [
      "lower by name than by group",
      { users: [{ name: "ada@example.com", role: "viewer" }], groups: [{ name: "developers", role: "admin" }] },
      "admin",
    ],
    ["confused with a user", { users: [{ name: "developers", role: "admin" }] }, undefined],
    ["confused with a group", { groups: [{ name: "ada@example.com", role: "admin" }] }, undefined],
  ])("%s", (_who, access, role) => {
    expect(teamRoleOf(aTeam({ access }), ada)).toBe(role);
  });

  it("counts a group of a provider only for users who signed in through it", () => {
    const team = aTeam({ access: { groups: [{ name: "developers", role: "admin", identityProvider: "corp" }] } });
    expect(teamRoleOf(team, { ...ada, identityProvider: "corp" })).toBe("admin");
    expect(teamRoleOf(team, { ...ada, identityProvider: "other" })).toBeUndefined();
  });

  it("never matches a group that is only a domain", () => {
    const team = aTeam({ access: { groups: [{ name: "@corp", role: "admin" }] } });
    expect(teamRoleOf(team, { email: "ada@example.com", groups: ["@other", ""] })).toBeUndefined();
  });

  it("lets an environment raise a role and never lower it", () => {
    const environments = [
      { name: "dev", access: { users: [{ name: "ada@example.com", role: "admin" }] } },
      { name: "prod", access: { users: [{ name: "ada@example.com", role: "viewer" }] } },
    ];
    const team = aTeam({ access: { users: [{ name: "ada@example.com", role: "operator" }] }, environments });
    expect(["dev", "prod", "none", undefined].map((name) => teamRoleOf(team, ada, name))).toEqual([
      "admin",
      "operator",
      "operator",
      "operator",
    ]);
  });

  it("returns the highest of all roles, in any order", () => {
    const roles = fc.array(fc.constantFrom("viewer", "operator", "admin", "member"), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(roles, (given) => {
        const users = given.map((role) => ({ name: "ada@example.com", role }));
        const found = teamRoleOf(aTeam({ access: { users } }), ada);
        expect(found).toBe(given.includes("admin") ? "admin" : found);
        expect(given.every((role) => includesRole(found, role === "member" ? "operator" : role))).toBe(true);
      }),
    );
  });
});

describe("resolveTeams", () => {
  it("returns the teams in order, with a role each", () => {
    const access = (role: string) => ({ access: { users: [{ name: "ada@example.com", role }] } });
    const teams = [aTeam(access("viewer"), "web"), aTeam({}, "empty"), aTeam(access("admin"), "billing")];
    expect(resolveTeams(ada, teams)).toEqual([
      { name: "billing", role: "admin" },
      { name: "web", role: "viewer" },
    ]);
  });
});
