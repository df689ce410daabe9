import type { Team, User } from "@butler/api";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { aTeam, aUser } from "../shared/testing/objects.ts";
import { namesIn, type Observed, planPeople } from "./plan.ts";

const person = (email: string, traits: { disabled?: boolean; deletionTimestamp?: string } = {}): User => {
  const { disabled = false, ...metadata } = traits;
  // Not parsed again: objects stored under a less strict schema must be handled as well.
  const user = aUser({ name: `of-${email.length}`, ...metadata, spec: { disabled } });
  return { ...user, spec: { ...user.spec, email } };
};
const team = (name: string): Team => aTeam({ name });

const roleOf = (observed: Observed) => planPeople(observed).role;

/** The names by resource. */
function namesOf(users: readonly User[], teams: readonly Team[] = []): Record<string, readonly string[]> {
  const { rules } = roleOf({ users, teams });
  return Object.fromEntries(rules.map(({ resources, resourceNames = [] }) => [resources.join(), resourceNames]));
}

describe("the names in the impersonation role", () => {
  it.each<[string, readonly User[], readonly string[]]>([
    ["users, sorted by name", [person("bob@x.io"), person("ada@x.io")], ["ada@x.io", "bob@x.io"]],
    ["users by their address in lower case", [person(" Ada@X.io ")], ["ada@x.io"]],
    ["users without duplicates", [person("ada@x.io"), person("ADA@x.io")], ["ada@x.io"]],
    ["without a disabled user", [person("ada@x.io", { disabled: true }), person("bob@x.io")], ["bob@x.io"]],
    [
      "without a user who is disabled under another account",
      [person("ada@x.io"), person("Ada@x.io", { disabled: true }), person("bob@x.io")],
      ["bob@x.io"],
    ],
    [
      "without a user whose account is being deleted",
      [person("ada@x.io", { deletionTimestamp: "2026-01-01T00:00:00Z" }), person("bob@x.io")],
      ["bob@x.io"],
    ],
    [
      "without Kubernetes' own names",
      ["system:admin", "system:serviceaccount:kube-system:x", "system:x@y", "a", "", "bob@x.io"].map((name) =>
        person(name),
      ),
      ["bob@x.io"],
    ],
  ])("are %s", (_what, users, expected) => {
    expect(namesOf(users)).toEqual({ users: expected });
  });

  it("are the groups of each team", () => {
    expect(namesOf([], [team("web"), team("billing")])).toEqual({
      groups: ["billing", "web"].flatMap((name) =>
        ["admin", "operator", "viewer"].map((role) => `butler:team:${name}:${role}`),
      ),
    });
  });

  it("are none without users and teams: no rule, rather than one without names", () => {
    expect(roleOf({ users: [], teams: [] }).rules).toEqual([]);
    expect(roleOf({ users: [person("ada@x.io", { disabled: true })], teams: [] }).rules).toEqual([]);
  });
});

describe("more names than one object can hold", () => {
  const many = Array.from({ length: 40_000 }, (_, at) => person(`somebody.with-a-name.${10_000 + at}@example.com`));

  it("are truncated, groups first, and counted", () => {
    const { role, leftOut } = planPeople({ users: many, teams: [team("web")] });
    expect(namesIn(role) + leftOut).toBe(40_003);
    expect(leftOut).toBeGreaterThan(0);
    expect(JSON.stringify(role).length).toBeLessThan(1_400_000);
    expect(role.rules[1]?.resourceNames).toHaveLength(3);
  });

  it("do not keep a disabled user", () => {
    const first = many[0] ?? person("");
    const users = [{ ...first, spec: { ...first.spec, disabled: true } }, ...many.slice(1)];
    const { role } = planPeople({ users, teams: [] });
    expect(role.rules[0]?.resourceNames).not.toContain(first.spec.email);
  });

  it("are not 20,000", () => {
    expect(planPeople({ users: many.slice(0, 20_000), teams: [] }).leftOut).toBe(0);
  });
});

const email = fc.oneof(
  // Few distinct users, so that two accounts with the same address occur often.
  { arbitrary: fc.constantFrom("ada@x.io", "ADA@x.io", "bob@x.io"), weight: 4 },
  fc.constantFrom("", " ", "system:masters", "system:a@b", "*", "a b@c"),
  fc.emailAddress(),
  fc.string({ maxLength: 12 }),
);
const anyUser = fc
  .record({ email, disabled: fc.boolean(), isGoing: fc.boolean() })
  .map(({ email: address, disabled, isGoing }) =>
    person(address, { disabled, ...(isGoing ? { deletionTimestamp: "2026-01-01T00:00:00Z" } : {}) }),
  );
const anyTeam = fc.constantFrom("web", "billing", "shop").map(team);
const anyState = fc.record({ users: fc.array(anyUser, { maxLength: 8 }), teams: fc.array(anyTeam, { maxLength: 3 }) });

describe("for any users and teams", () => {
  it("every rule has names, only the verb impersonate, and only users and groups", () => {
    fc.assert(
      fc.property(anyState, (any) => {
        for (const { apiGroups, resources, verbs, resourceNames = [] } of roleOf(any).rules) {
          expect(resourceNames.length).toBeGreaterThan(0);
          expect([apiGroups, verbs]).toEqual([[""], ["impersonate"]]);
          expect(["users", "groups"]).toContain(resources.join());
        }
      }),
    );
  });

  it("no disabled user and no system name is included", () => {
    fc.assert(
      fc.property(anyState, ({ users, teams }) => {
        const { users: names = [], groups = [] } = namesOf(users, teams);
        const closed = users.filter(({ spec }) => spec.disabled).map(({ spec }) => spec.email.trim().toLowerCase());
        expect(names.filter((name) => closed.includes(name) || !/^[^\s:@]+@[^\s:@]+$/.test(name))).toEqual([]);
        expect(groups.filter((name) => !name.startsWith("butler:team:"))).toEqual([]);
        expect(groups).toHaveLength(3 * new Set(teams.map(({ metadata }) => metadata.name)).size);
      }),
    );
  });

  it("the input order does not matter", () => {
    fc.assert(
      fc.property(anyState, ({ users, teams }) => {
        const turned = { users: users.toReversed(), teams: teams.toReversed() };
        expect(roleOf(turned)).toEqual(roleOf({ users, teams }));
        expect(namesIn(roleOf(turned))).toBe(Object.values(namesOf(users, teams)).flat().length);
      }),
    );
  });
});
