import type { Team, TeamRole } from "@butler/api";
import { describe, expect, it } from "vitest";
import { type Caller, impersonatedBy, memberRoleOf } from "./caller.ts";
import { judgeAccess, type Need } from "./permissions.ts";
import { aTeam } from "./testing/objects.ts";

const team: Team = aTeam({
  access: {
    users: [
      { name: "admin@example.com", role: "admin" },
      { name: "operator@example.com", role: "member" },
      { name: "viewer@example.com", role: "viewer" },
      { name: "dev@example.com", role: "viewer" },
    ],
    groups: [{ name: "ops", role: "operator", identityProvider: "company" }],
  },
  environments: [
    {
      name: "dev",
      access: {
        users: [
          { name: "dev@example.com", role: "operator" },
          { name: "only-dev@example.com", role: "operator" },
        ],
      },
    },
    { name: "prod" },
  ],
});

const caller = (
  email: string,
  rest: Partial<Caller & { groups: string[]; identityProvider: string }> = {},
): Caller => ({
  person: { email, groups: rest.groups ?? [], identityProvider: rest.identityProvider },
  platformRole: rest.platformRole,
});

const people: Readonly<Record<string, Caller | undefined>> = {
  nobody: undefined,
  stranger: caller("stranger@example.com"),
  viewer: caller("viewer@example.com"),
  operator: caller("Operator@Example.com"),
  admin: caller("admin@example.com"),
  platformViewer: caller("pv@example.com", { platformRole: "viewer" }),
  platformAdmin: caller("pa@example.com", { platformRole: "admin" }),
};

const inTeam = (role: TeamRole): Need => ({ kind: "team", role });
const verdictOf = (need: Need, who: Caller | undefined, environment?: string): string => {
  const verdict = judgeAccess(need, { caller: who, subject: { team, environment } });
  return verdict.isAllowed ? "yes" : verdict.as;
};

describe("judgeAccess", () => {
  // Columns: not signed in, stranger, viewer, operator, admin, platform viewer, platform admin.
  const [yes, no, who, what] = ["yes", "FORBIDDEN", "UNAUTHENTICATED", "NOT_FOUND"];
  it.each<[string, Need, (string | undefined)[]]>([
    ["public", { kind: "public" }, [yes, yes, yes, yes, yes, yes, yes]],
    ["session", { kind: "session" }, [who, yes, yes, yes, yes, yes, yes]],
    ["platform viewer", { kind: "platform", role: "viewer" }, [who, no, no, no, no, yes, yes]],
    ["platform admin", { kind: "platform", role: "admin" }, [who, no, no, no, no, no, yes]],
    ["team viewer", inTeam("viewer"), [who, what, yes, yes, yes, yes, yes]],
    ["team operator", inTeam("operator"), [who, what, no, yes, yes, no, yes]],
    ["team admin", inTeam("admin"), [who, what, no, no, yes, no, yes]],
  ])("%s", (_name, need, expected) => {
    expect(Object.values(people).map((person) => verdictOf(need, person))).toEqual(expected);
  });

  it("applies a role in an environment to that environment only", () => {
    const need: Need = { kind: "cluster", role: "operator" };
    expect(verdictOf(need, caller("dev@example.com"), "dev")).toBe("yes");
    expect(verdictOf(need, caller("dev@example.com"), "prod")).toBe("FORBIDDEN");
    expect(verdictOf(need, caller("only-dev@example.com"), "dev")).toBe("yes");
    expect(verdictOf(need, caller("only-dev@example.com"))).toBe("FORBIDDEN");
    expect(verdictOf(inTeam("viewer"), caller("only-dev@example.com"))).toBe("yes");
  });

  it("returns not found for objects that belong to no team or do not exist", () => {
    const need: Need = { kind: "cluster", role: "viewer" };
    const about = (who_: Caller, isThere: boolean) => judgeAccess(need, { caller: who_, isThere });
    expect(about(caller("admin@example.com"), true)).toMatchObject({ as: "NOT_FOUND" });
    expect(about(caller("pa@example.com", { platformRole: "admin" }), true)).toEqual({ isAllowed: true });
    expect(about(caller("pa@example.com", { platformRole: "admin" }), false)).toMatchObject({ as: "NOT_FOUND" });
  });
});

describe("impersonatedBy", () => {
  const other = aTeam({ access: { users: [{ name: "dev@example.com", role: "admin" }] } }, "billing");

  it("uses the lower-case email address and the groups from Butler's own objects", () => {
    expect(impersonatedBy(caller(" Dev@Example.com"), [team, other])).toEqual({
      user: "dev@example.com",
      groups: ["system:authenticated", "butler:users", "butler:team:billing:admin", "butler:team:payments:viewer"],
    });
    expect(impersonatedBy(caller("dev@example.com"), [team], { team, environment: "dev" }).groups).toContain(
      "butler:team:payments:operator",
    );
    expect(impersonatedBy(people["platformAdmin"] as Caller, [team]).groups).toContain("butler:platform:admin");
  });

  it("ignores groups in a token", () => {
    const posing = caller("x@example.com", { groups: ["system:masters", "butler:platform:admin", "ops"] });
    expect(impersonatedBy(posing, [team]).groups).toEqual(["system:authenticated", "butler:users"]);
    const fromThere = caller("x@example.com", { groups: ["ops"], identityProvider: "company" });
    expect(memberRoleOf(team, fromThere.person)).toBe("operator");
  });

  it.each(["system:masters", "system:serviceaccount:butler-system:butler", "ada", "", "a b@example.com", "a:b@c"])(
    "impersonates no user named %j",
    (email) => {
      expect(() => impersonatedBy(caller(email), [team])).toThrow("not a valid user email address");
    },
  );
});
