import { Team, User } from "@butler/api";
import { AlreadyExists } from "@butler/kube";
import { parseObject } from "@butler/resource";
import { Conflict, NotFound } from "@butler/std";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { accountName, accountPhase, hasOpenInvitation, planPlatformRole, requireAnotherAdmin } from "./accounts.ts";
import { createInvitation, hashInvitationToken, invitationUrl, invitedStatus } from "./invitation.ts";
import { planAddMember, planChangeMember, planRemoveMember } from "./members.ts";
import { newObject } from "./new-object.ts";

const now = new Date("2026-06-01T12:00:00.123Z");
const aUser = (name: string, spec: object = {}, status: object = {}) =>
  parseObject(User, newObject(User, { name }, { spec: { email: `${name}@example.com`, ...spec }, status }));
const aTeam = (users: readonly (readonly [string, string])[], spec: object = {}) =>
  parseObject(
    Team,
    newObject(
      Team,
      { name: "payments" },
      { spec: { access: { users: users.map(([name, role]) => ({ name, role })) }, ...spec } },
    ),
  );

describe("accountName", () => {
  it.each([
    ["Ada.Lovelace@Example.com", "ada-lovelace-example-com"],
    ["  ada@example.com ", "ada-example-com"],
    ["@", "user"],
  ])("makes a name of %j", (email, name) => expect(accountName(email)).toBe(name));

  it("makes a name that Kubernetes takes, of whatever it is given", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 400 }), (email) => {
        expect(accountName(email)).toMatch(/^[a-z0-9]([-a-z0-9]{0,198}[a-z0-9])?$/);
      }),
    );
  });
});

describe("invitations", () => {
  const invitation = createInvitation(now);

  it("keep a hash, and give the token away once", () => {
    const status = invitedStatus(invitation, now);
    expect(status).toEqual({
      inviteTokenHash: hashInvitationToken(invitation.token),
      inviteExpiresAt: "2026-06-04T12:00:00Z",
      inviteSentAt: "2026-06-01T12:00:00Z",
    });
    expect(JSON.stringify(status)).not.toContain(invitation.token);
    expect(invitationUrl("https://butler.example.com//", invitation)).toBe(
      `https://butler.example.com/invite/${invitation.token}`,
    );
  });

  it("are open until they end", () => {
    const invited = aUser("ada", {}, invitedStatus(invitation, now));
    expect(hasOpenInvitation(invited, now)).toBe(true);
    expect(hasOpenInvitation(invited, new Date("2026-06-04T12:00:00Z"))).toBe(false);
    expect(hasOpenInvitation(aUser("ada"), now)).toBe(false);
  });
});

describe("administrators", () => {
  const admin = aUser("ada", { platformRole: "admin" });

  it.each([
    ["nobody else", [admin], true],
    ["a viewer", [admin, aUser("bob", { platformRole: "viewer" })], true],
    ["an administrator who is shut out", [admin, aUser("bob", { platformRole: "admin", disabled: true })], true],
    ["another administrator", [admin, aUser("bob", { isPlatformAdmin: true })], false],
  ])("stay beside %s", (_what, users, isRefused) => {
    const attempt = () => requireAnotherAdmin(admin, users);
    if (isRefused) expect(attempt).toThrow(Conflict);
    else expect(attempt).not.toThrow();
    expect(() => requireAnotherAdmin(aUser("carol"), users)).not.toThrow();
  });

  it("have a role said in one way only", () => {
    expect(planPlatformRole(null)).toEqual({ spec: { platformRole: null, isPlatformAdmin: false } });
  });

  it("see that an account is shut before anything else of it", () => {
    expect(accountPhase(aUser("ada", { disabled: true }, { phase: "Active" }))).toBe("Disabled");
    expect(accountPhase(aUser("ada"))).toBe("Pending");
  });
});

describe("members", () => {
  const team = aTeam(
    [
      ["ada@example.com", "admin"],
      ["bob@example.com", "viewer"],
    ],
    { environments: [{ name: "dev", access: { users: [{ name: "bob@example.com", role: "admin" }] } }] },
  );

  it("are added once, by whatever spelling", () => {
    expect(planAddMember(team, " Carol@Example.com", "operator").spec).toMatchObject({
      access: { users: [{}, {}, { name: "carol@example.com", role: "operator" }] },
    });
    expect(() => planAddMember(team, "ADA@example.com", "viewer")).toThrow(AlreadyExists);
  });

  it("leave every environment with the team", () => {
    expect(planRemoveMember(team, "bob@example.com").spec).toEqual({
      access: { users: [{ name: "ada@example.com", role: "admin" }] },
      environments: [{ name: "dev", access: { users: [] } }],
    });
  });

  it("are not the last admin to go or to become less", () => {
    expect(() => planRemoveMember(team, "ada@example.com")).toThrow(Conflict);
    expect(() => planChangeMember(team, "ada@example.com", "viewer")).toThrow(Conflict);
    expect(() => planChangeMember(team, "nobody@example.com", "viewer")).toThrow(NotFound);
  });
});
