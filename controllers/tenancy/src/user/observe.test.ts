import type { Team } from "@butler/api";
import type { CacheReader } from "@butler/controller";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { resolveTeams } from "@butler/access";
import { aTeam, aUser } from "../shared/testing/objects.ts";
import { identitiesOf, membersOf, observe } from "./observe.ts";

/** A cache with teams. */
function cacheOf(teams: readonly Team[]): CacheReader {
  const byIndex = (_kind: unknown, _index: string, value: string) =>
    teams.filter((team) => membersOf(team).includes(value));
  const missing = () => {
    throw new Error("only the index may be used");
  };
  return { get: missing, list: missing, byIndex: byIndex as CacheReader["byIndex"], isServed: () => true };
}

const teamsOf = (user: ReturnType<typeof aUser>, teams: readonly Team[]) =>
  observe({ primary: user, read: cacheOf(teams), ports: {}, now: new Date(), signal: new AbortController().signal })
    .teams;

describe("the teams of a user", () => {
  it.each([
    ["by name, whatever the case", { users: [{ name: "ADA@example.com", role: "admin" }] }, "admin"],
    ["through a group", { groups: [{ name: "Developers@Example.com", role: "operator" }] }, "operator"],
    ["not through a namesake in a directory", { groups: [{ name: "CN=Developers,OU=Groups" }] }, undefined],
    ["not through a namesake without a domain", { groups: [{ name: "developers" }] }, undefined],
    [
      "by the higher of two",
      { users: [{ name: "ada@example.com" }], groups: [{ name: "developers@example.com", role: "member" }] },
      "operator",
    ],
    [
      "through a group of their provider",
      { groups: [{ name: "developers@example.com", identityProvider: "corporate" }] },
      "viewer",
    ],
    [
      "not through a group of another provider",
      { groups: [{ name: "developers@example.com", identityProvider: "other" }] },
      undefined,
    ],
    ["not through a group they are not in", { groups: [{ name: "admins" }] }, undefined],
  ])("are found %s", (_how, access, role) => {
    const user = aUser({ status: { lastSeenGroups: ["developers@example.com"] } });
    const expected = role === undefined ? [] : [{ name: "payments", role }];
    expect(teamsOf(user, [aTeam({ spec: { access } })])).toEqual(expected);
  });

  it("are the same by index as by a full scan", () => {
    const name = fc.constantFrom(
      "ada@example.com",
      "Ada@Example.COM",
      "bob@example.com",
      "developers",
      "CN=Developers,DC=x",
    );
    const role = fc.constantFrom("admin", "operator", "viewer", "member");
    const list = fc.array(fc.record({ name, role }), { maxLength: 3 });
    const teams = fc.array(fc.record({ users: list, groups: list }), { maxLength: 4 });
    fc.assert(
      fc.property(teams, fc.subarray(["developers", "admins"]), (accesses, lastSeenGroups) => {
        const all = accesses.map((access, at) => aTeam({ name: `team-${at}`, spec: { access } }));
        const user = aUser({ status: { lastSeenGroups } });
        const person = { email: user.spec.email, groups: lastSeenGroups, identityProvider: "corporate" };
        expect(teamsOf(user, all)).toEqual(resolveTeams(person, all));
      }),
    );
  });
});

it("finds users in environments, too", () => {
  const environments = [{ name: "dev", access: { users: [{ name: "ada@example.com" }] } }];
  expect(membersOf(aTeam({ spec: { environments } }))).toEqual(identitiesOf(aUser()));
});
