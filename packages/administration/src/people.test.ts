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
  ])("derives a name from %j", (email, name) => expect(accountName(email)).toBe(name));

  it("returns a valid Kubernetes name for any input", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 400 }), (email) => {
        expect(accountName(email)).toMatch(/^[a-z0-9]([-a-z0-9]{0,198}[a-z0-9])?$/);
      }),
    );
  });
});

describe("invitations", () => {
  const invitation = createInvitation(now);

  it("store a hash, and return the token once", () => {
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

  it("are valid until they expire", () => {
    const invited = aUser("ada", {}, invitedStatus(invitation, now));
    expect(hasOpenInvitation(invited, now)).toBe(true);
    expect(hasOpenInvitation(invited, new Date("2026-06-04T12:00:00Z"))).toBe(false);
    expect(hasOpenInvitation(aUser("ada"), now)).toBe(false);
  });
});

describe("administrators", () => {
  const admin = aUser("ada", { platformRole: "admin" });

  it.each([
    ["no other account", [admin], true],
    ["a viewer", [admin, aUser("bob", { platformRole: "viewer" })], true],
    ["a disabled administrator", [admin, aUser("bob", { platformRole: "admin", disabled: true })], true],
    ["another administrator", [admin, aUser("bob", { isPlatformAdmin: true })], false],
  ])("cannot be the last: with %s", (_what, users, isRefused) => {
    const attempt = () => requireAnotherAdmin(admin, users);
    if (isRefused) expect(attempt).toThrow(Conflict);
    else expect(attempt).not.toThrow();
    expect(() => requireAnotherAdmin(aUser("carol"), users)).not.toThrow();
  });

  it("have their role in one field only", () => {
    expect(planPlatformRole(null)).toEqual({ spec: { platformRole: null, isPlatformAdmin: false } });
  });

  it("see Disabled before any other phase of an account", () => {
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

  it("are added once, in any spelling", () => {
    expect(planAddMember(team, " Carol@Example.com", "operator").spec).toMatchObject({
      access: { users: [{}, {}, { name: "carol@example.com", role: "operator" }] },
    });
    expect(() => planAddMember(team, "ADA@example.com", "viewer")).toThrow(AlreadyExists);
  });

  it("are removed from every environment with the team", () => {
    expect(planRemoveMember(team, "bob@example.com").spec).toEqual({
      access: { users: [{ name: "ada@example.com", role: "admin" }] },
      environments: [{ name: "dev", access: { users: [] } }],
    });
  });

  it("cannot be removed or demoted as the last admin", () => {
    expect(() => planRemoveMember(team, "ada@example.com")).toThrow(Conflict);
    expect(() => planChangeMember(team, "ada@example.com", "viewer")).toThrow(Conflict);
    expect(() => planChangeMember(team, "unknown@example.com", "viewer")).toThrow(NotFound);
  });
});
