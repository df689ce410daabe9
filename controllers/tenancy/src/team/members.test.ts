import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Team } from "@butler/api";
import { aTeam } from "../shared/testing/objects.ts";
import {
  groupsIgnored,
  groupsWithoutBinding,
  memberCount,
  type RoleSubjects,
  teamNamespaceBindings,
  tenantNamespaceBindings,
} from "./members.ts";

/** The bindings without the groups of Butler's server, each of which must be in the binding of its role. */
function withoutServer(bindings: readonly RoleSubjects[]): RoleSubjects[] {
  return bindings.map(({ role, subjects }) => {
    expect(subjects.filter(({ name }) => name.startsWith("butler:"))).toEqual([
      { apiGroup: "rbac.authorization.k8s.io", kind: "Group", name: `butler:team:payments:${role}` },
    ]);
    return { role, subjects: subjects.filter(({ name }) => !name.startsWith("butler:")) };
  });
}

/** The subjects of each role, as text. */
function namesOf(bindings: readonly RoleSubjects[]): Record<string, string[]> {
  return Object.fromEntries(
    withoutServer(bindings).map(({ role, subjects }) => [role, subjects.map(({ kind, name }) => `${kind} ${name}`)]),
  );
}

const user = (name: string, role = "viewer") => ({ name, role });

describe("teamNamespaceBindings", () => {
  it.each([
    ["no members", {}, { viewer: [], operator: [], admin: [] }],
    [
      "users and groups",
      {
        access: {
          users: [user("ada@example.com", "admin"), user("bob@example.com")],
          groups: [{ name: "developers", role: "operator" }],
        },
      },
      { viewer: ["User bob@example.com"], operator: ["Group developers"], admin: ["User ada@example.com"] },
    ],
    [
      "the legacy name of operator",
      { access: { users: [user("ada@example.com", "member")] } },
      { viewer: [], operator: ["User ada@example.com"], admin: [] },
    ],
    [
      "a user who is listed twice",
      { access: { users: [user("ada@example.com"), user("Ada@Example.com", "admin")] } },
      { viewer: [], operator: [], admin: ["User Ada@Example.com", "User ada@example.com"] },
    ],
    [
      "a user who is an admin of an environment only",
      { environments: [{ name: "dev", access: { users: [user("ada@example.com", "admin")] } }] },
      { viewer: ["User ada@example.com"], operator: [], admin: [] },
    ],
    [
      "a user with a higher role in an environment than in the team",
      {
        access: { users: [user("ada@example.com", "operator")] },
        environments: [{ name: "dev", access: { users: [user("ada@example.com", "admin")] } }],
      },
      { viewer: [], operator: ["User ada@example.com"], admin: [] },
    ],
    [
      "a group of one identity provider, which a binding cannot express",
      { access: { groups: [{ name: "developers", role: "admin", identityProvider: "corporate" }] } },
      { viewer: [], operator: [], admin: [] },
    ],
    [
      "no group with a reserved name",
      {
        access: {
          groups: [
            { name: "system:authenticated", role: "admin" },
            { name: " Butler:team:payments:admin", role: "admin" },
            { name: "butler:team:payments:admin", role: "viewer" },
            { name: "CN=system:masters,OU=x", role: "operator" },
          ],
        },
      },
      { viewer: [], operator: [], admin: [] },
    ],
    [
      "a user and a group of the same name",
      { access: { users: [user("ops", "admin")], groups: [{ name: "ops", role: "viewer" }] } },
      { viewer: ["Group ops"], operator: [], admin: ["User ops"] },
    ],
  ])("binds %s", (_who, spec, expected) => {
    expect(namesOf(teamNamespaceBindings(aTeam({ spec })))).toEqual(expected);
  });
});

describe("tenantNamespaceBindings", () => {
  const team = aTeam({
    spec: {
      access: { users: [user("ada@example.com", "operator"), user("bob@example.com", "admin")] },
      environments: [
        { name: "dev", access: { users: [user("ada@example.com", "admin"), user("bob@example.com")] } },
        { name: "prod", access: { users: [user("eve@example.com", "operator")] } },
      ],
    },
  });

  it.each([
    ["dev", { viewer: [], operator: [], admin: ["User ada@example.com", "User bob@example.com"] }],
    [
      "prod",
      { viewer: [], operator: ["User ada@example.com", "User eve@example.com"], admin: ["User bob@example.com"] },
    ],
    [undefined, { viewer: [], operator: ["User ada@example.com"], admin: ["User bob@example.com"] }],
    ["lost", { viewer: [], operator: ["User ada@example.com"], admin: ["User bob@example.com"] }],
  ])("adds the roles of environment %s to the team's", (environment, expected) => {
    expect(namesOf(tenantNamespaceBindings(team, environment))).toEqual(expected);
  });
});

const role = fc.constantFrom("admin", "operator", "viewer", "member");
const name = fc.constantFrom("ada@example.com", "Ada@example.com", "BOB@example.com", "eve@example.com", "ops");
const access = fc.record({
  users: fc.array(fc.record({ name, role }), { maxLength: 4 }),
  groups: fc.array(fc.record({ name, role }), { maxLength: 3 }),
});
const team = fc.record({ access, dev: access, prod: access }).map(({ access: own, dev, prod }) =>
  aTeam({
    spec: {
      access: own,
      environments: [
        { name: "dev", access: dev },
        { name: "prod", access: prod },
      ],
    },
  }),
);

const identity = ({ kind, name: spelling }: { kind: string; name: string }): string =>
  `${kind} ${kind === "User" ? spelling.toLowerCase() : spelling}`;
const rankIn = (bindings: readonly RoleSubjects[], who: string): number =>
  bindings.findIndex(({ subjects }) => subjects.some((subject) => identity(subject) === who));

describe("for any team", () => {
  it("every listed subject is bound exactly once, and no other", () => {
    fc.assert(
      fc.property(team, (any) => {
        const bound = withoutServer(teamNamespaceBindings(any)).flatMap(({ role: of, subjects }) =>
          [...new Set(subjects.map(identity))].map((who) => ({ who, of })),
        );
        expect(new Set(bound.map(({ who }) => who)).size).toBe(bound.length);
        expect(new Set(bound.map(({ who }) => who))).toEqual(new Set(namedIn(any)));
      }),
    );
  });

  it("an environment never lowers a role, and gives none outside of it", () => {
    fc.assert(
      fc.property(team, fc.constantFrom("dev", "prod"), (any, environment) => {
        const [inside, plain] = [tenantNamespaceBindings(any, environment), tenantNamespaceBindings(any, undefined)];
        for (const who of namedIn(any)) {
          expect(rankIn(inside, who)).toBeGreaterThanOrEqual(rankIn(plain, who));
          // In the team's own namespace an environment role grants read access only.
          expect(rankIn(teamNamespaceBindings(any), who)).toBe(Math.max(0, rankIn(plain, who)));
        }
      }),
    );
  });

  it("the order of its lists does not matter", () => {
    fc.assert(
      fc.property(team, (any) => {
        const { users = [], groups = [] } = any.spec.access;
        const turned = {
          ...any,
          spec: { ...any.spec, access: { users: users.toReversed(), groups: groups.toReversed() } },
        };
        expect(teamNamespaceBindings(turned)).toEqual(teamNamespaceBindings(any));
      }),
    );
  });
});

function namedIn({ spec }: Team): string[] {
  const lists = [spec.access, ...(spec.environments ?? []).map((environment) => environment.access)];
  const all = lists.flatMap((list) => [
    ...(list?.users ?? []).map((each) => identity({ kind: "User", ...each })),
    ...(list?.groups ?? []).map((each) => identity({ kind: "Group", ...each })),
  ]);
  return [...new Set(all)];
}

it("counts each user once, whatever the case and wherever they are listed", () => {
  const environments = [{ name: "dev", access: { users: [user("ADA@example.com"), user("eve@example.com")] } }];
  expect(memberCount(aTeam({ spec: { access: { users: [user("ada@example.com")] }, environments } }))).toBe(2);
});

it("lists the groups that a binding cannot express", () => {
  const groups = [{ name: "developers", identityProvider: "corporate" }, { name: "everyone" }];
  expect(groupsWithoutBinding(aTeam({ spec: { access: { groups } } }))).toEqual(["developers"]);
  const reserved = [{ name: "system:nodes", identityProvider: "corporate" }, { name: "butler:users" }];
  const both = aTeam({ spec: { access: { groups: [...groups, ...reserved] } } });
  expect([groupsWithoutBinding(both), groupsIgnored(both)]).toEqual([["developers"], ["butler:users", "system:nodes"]]);
});
