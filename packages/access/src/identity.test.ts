import type { IdentityProvider, User } from "@butler/api";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readClaims } from "./identity-claims.ts";
import { accountBrakeMs, judgeAttempt, lockoutDelayMs, passwordFault } from "./identity-password.ts";
import { accountNameOf, decideAccount, type Identity, issuerAnnotation, platformRoleOf } from "./identity.ts";

const issuer = "https://login.example.com";
const ada: Identity = { provider: "company", issuer, subject: "s-1", email: "ada@example.com" };
const bound = { authType: "sso", ssoProvider: "company", ssoSubject: "s-1" } as const;

function userOf(name: string, spec: Partial<User["spec"]>, status: User["status"] = {}): User {
  return {
    apiVersion: "butler.butlerlabs.dev/v1alpha1",
    kind: "User",
    metadata: { name, uid: `uid-${name}` },
    spec: { email: `${name}@example.com`, disabled: false, authType: "internal", isPlatformAdmin: false, ...spec },
    status,
  };
}

describe("the account of an identity", () => {
  const moved = {
    ...userOf("ada", bound),
    metadata: { name: "ada", annotations: { [issuerAnnotation]: "https://other" } },
  };
  it.each<[string, User[], object]>([
    ["no account exists", [], { kind: "new" }],
    ["theirs", [userOf("ada", bound)], { kind: "known" }],
    ["theirs under another address", [userOf("countess", bound)], { kind: "known" }],
    ["theirs, disabled", [userOf("ada", { ...bound, disabled: true })], { reason: "account_disabled" }],
    ["theirs at another issuer of that name", [moved], { reason: "issuer_changed" }],
    ["made for them", [userOf("ada", { authType: "sso", ssoProvider: "company" })], { kind: "bind" }],
    ["made for them at any provider", [userOf("ada", { authType: "sso" })], { kind: "bind" }],
    ["made for them, disabled", [userOf("ada", { authType: "sso", disabled: true })], { reason: "account_disabled" }],
    ["with a password", [userOf("ada", {})], { reason: "account_is_internal" }],
    ["of another provider", [userOf("ada", { ...bound, ssoProvider: "x" })], { reason: "account_of_other_provider" }],
    ["of another subject", [userOf("ada", { ...bound, ssoSubject: "s-2" })], { reason: "subject_changed" }],
    ["in other letters", [userOf("ada", { email: " ADA@Example.com " })], { reason: "account_is_internal" }],
    ["two of them", [userOf("ada", {}), userOf("b", { email: ada.email })], { reason: "email_ambiguous" }],
    ["the same local part elsewhere", [userOf("ada", { email: "ada@evil.example" })], { kind: "new" }],
  ])("%s", (_name, users, expected) => {
    expect(decideAccount(ada, users)).toMatchObject(expected);
  });

  it("is never one bound to another subject, another provider or a password", () => {
    const text = fc.constantFrom("", "s-1", "s-2", "company", "other");
    const anyUser = fc.record({
      authType: fc.constantFrom("sso" as const, "internal" as const),
      ssoProvider: text,
      ssoSubject: text,
      disabled: fc.boolean(),
      email: fc.constantFrom("ada@example.com", "ADA@example.com", "bob@example.com"),
    });
    fc.assert(
      fc.property(fc.array(anyUser, { maxLength: 5 }), (specs) => {
        const users = specs.map((spec, at) => userOf(`u${at}`, spec));
        const decision = decideAccount(ada, users);
        if (decision.kind !== "known" && decision.kind !== "bind") return;
        const { spec } = decision.user;
        expect(spec.disabled).toBe(false);
        expect(spec.authType).toBe("sso");
        expect(["", "company"]).toContain(spec.ssoProvider);
        expect(["", "s-1"]).toContain(spec.ssoSubject);
      }),
    );
  });
});

describe("the name of an account", () => {
  it.each([
    ["Ada.Lovelace+x@Example.com", undefined, "ada-lovelace-x-example-com"],
    ["ada@example.com", "0a1b", "ada-example-com-0a1b"],
    ["---@---", undefined, "user"],
  ])("%s", (email, mark, expected) => expect(accountNameOf(email, mark)).toBe(expected));

  it("is always a valid Kubernetes name", () => {
    fc.assert(
      fc.property(fc.string(), (email) => {
        expect(accountNameOf(email)).toMatch(/^[a-z0-9]([-a-z0-9]{0,251}[a-z0-9])?$/);
      }),
    );
  });
});

describe("the platform role", () => {
  const groups = [
    { name: "Platform-Team", role: "admin" as const },
    { name: "auditors", role: "viewer" as const },
    { name: "system:authenticated", role: "admin" as const },
  ];
  const provider = {
    metadata: { name: "company" },
    spec: { type: "oidc", platformRoleGroups: groups },
  } as IdentityProvider;
  it.each<[string, User, "admin" | "viewer" | undefined]>([
    ["none", userOf("a", bound), undefined],
    ["its own", userOf("a", { platformRole: "viewer" }), "viewer"],
    ["the older flag", userOf("a", { isPlatformAdmin: true }), "admin"],
    ["through a group", userOf("a", bound, { lastSeenGroups: ["Platform-Team"] }), "admin"],
    ["no group of a directory", userOf("a", bound, { lastSeenGroups: ["CN=platform-team,OU=x"] }), undefined],
    ["no group of a domain", userOf("a", bound, { lastSeenGroups: ["platform-team@evil.example"] }), undefined],
    [
      "the higher one",
      userOf("a", { ...bound, platformRole: "viewer" }, { lastSeenGroups: ["platform-team"] }),
      "admin",
    ],
    ["a viewer's group", userOf("a", bound, { lastSeenGroups: ["auditors"] }), "viewer"],
    [
      "a group of another provider",
      userOf("a", { ...bound, ssoProvider: "x" }, { lastSeenGroups: ["auditors"] }),
      undefined,
    ],
    ["a name of Kubernetes' own", userOf("a", bound, { lastSeenGroups: ["system:authenticated"] }), undefined],
    ["groups of one with a password", userOf("a", {}, { lastSeenGroups: ["auditors"] }), undefined],
  ])("%s", (_name, user, expected) => expect(platformRoleOf(user, provider)).toBe(expected));
});

describe("claims", () => {
  const verified = { email: "Ada@Example.com", email_verified: true };
  it.each<[string, Record<string, unknown>, Parameters<typeof readClaims>[1], object]>([
    ["valid", verified, {}, { email: "ada@example.com", groups: [] }],
    ["no address", { email_verified: true }, {}, { refusal: "email_missing" }],
    [
      "an address like a name of Kubernetes'",
      { email: "system:admin@x", email_verified: true },
      {},
      { refusal: "email_missing" },
    ],
    ["not verified", { ...verified, email_verified: false }, {}, { refusal: "email_unverified" }],
    ["nothing said about it", { email: "a@b" }, {}, { refusal: "email_unverified" }],
    ["verified in words", { ...verified, email_verified: "true" }, {}, { email: "ada@example.com" }],
    ["another claim, nothing said", { upn: "a@b" }, { emailClaim: "upn" }, { email: "a@b" }],
    [
      "another claim, denied",
      { upn: "a@b", email_verified: false },
      { emailClaim: "upn" },
      { refusal: "email_unverified" },
    ],
    ["the domain", { ...verified, hd: "Example.com" }, { hostedDomain: "example.com" }, { email: "ada@example.com" }],
    ["another domain", { ...verified, hd: "evil.com" }, { hostedDomain: "example.com" }, { refusal: "domain_refused" }],
    ["no domain", verified, { hostedDomain: "example.com" }, { refusal: "domain_refused" }],
    ["an address in a domain of the provider", verified, { domains: ["example.com"] }, { email: "ada@example.com" }],
    ["a foreign address", verified, { domains: ["corp.example"] }, { refusal: "domain_refused" }],
    [
      "a foreign address like a directory's name",
      { email: "cn=a@evil.example", email_verified: true },
      { domains: ["example.com"] },
      { refusal: "domain_refused" },
    ],
    ["no domains, so any", verified, { domains: [] }, { email: "ada@example.com" }],
    [
      "groups of its domains",
      {
        ...verified,
        groups: ["ops", "ops@example.com", "ops@evil.example", "CN=ops,DC=evil,DC=example", "CN=ops,DC=example,DC=com"],
      },
      { domains: ["example.com"] },
      { groups: ["CN=ops,DC=example,DC=com", "ops", "ops@example.com"] },
    ],
    [
      "an address that a Kelvin sign makes another's",
      { email: "\u212aim@example.com", email_verified: true },
      {},
      { refusal: "email_missing" },
    ],
    ["a group with a no-break space", { ...verified, groups: ["ops\u00a0"] }, {}, { groups: ["ops\u00a0"] }],
    ["groups", { ...verified, groups: ["b", "a", "a", 7, ""] }, {}, { groups: ["a", "b"] }],
    [
      "no groups of Kubernetes or Butler",
      { ...verified, groups: ["system:masters", "butler:platform:admin", "a"] },
      {},
      { groups: ["a"] },
    ],
    ["one group", { ...verified, groups: "a" }, {}, { groups: ["a"] }],
    ["nested", { ...verified, realm: { roles: ["x"] } }, { groupsClaim: "realm.roles" }, { groups: ["x"] }],
    [
      "an address as name",
      { ...verified, "https://b/groups": ["x"] },
      { groupsClaim: "https://b/groups" },
      { groups: ["x"] },
    ],
    ["what objects inherit", verified, { groupsClaim: "constructor.name" }, { groups: [] }],
    ["a picture that is none", { ...verified, picture: "javascript:alert(1)" }, {}, { picture: undefined }],
  ])("%s", (_name, claims, settings, expected) => expect(readClaims(claims, settings)).toMatchObject(expected));
});

describe("passwords", () => {
  it.each([
    ["short", /12 characters/],
    ["x".repeat(73), /72 bytes/],
    ["ä".repeat(37), /72 bytes.*74/],
    ["ada.lovelace@example.com", /email address/],
    ["AdaLovelace2026", /email address/],
    ["aaaaaaaaaaaaab", /5 different/],
    ["Password123456", /too common/],
    ["p@ssw0rdp@ssw0rd!", /too common/],
    ["qwertyuiopas", /too common/],
    ["123456789012", /too common/],
  ])("%s", (password, fault) => expect(passwordFault(password, "ada.lovelace@example.com")).toMatch(fault));

  it.each(["correct horse battery", "Zürich im Winter 7", "x8$kQ!92mmLp"])("accepts %s", (password) => {
    expect(passwordFault(password, "ada@example.com")).toBeUndefined();
  });

  it("are never longer than bcrypt supports", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 120 }), (password) => {
        if (passwordFault(password, "") === undefined) expect(Buffer.byteLength(password)).toBeLessThanOrEqual(72);
      }),
    );
  });
});

describe("a sign-in attempt", () => {
  const never = { failures: 0, sinceMs: Number.POSITIVE_INFINITY };
  it.each<[string, boolean, { failures: number; sinceMs: number }, number, boolean, number]>([
    ["the first", false, never, 0, false, 0],
    ["after a few failures here", false, { failures: 4, sinceMs: 0 }, 0, false, 0],
    ["too soon after many failures here", false, { failures: 10, sinceMs: 31_000 }, 0, true, 0],
    ["later", false, { failures: 10, sinceMs: 32_000 }, 0, false, 0],
    ["after failures from everywhere", false, never, 60_000, true, 0],
    ["the same on a known device", true, never, 60_000, false, 2_000],
    ["on a known device, the brake almost over", true, never, 500, false, 500],
    ["on a known device with many failures of its own", true, { failures: 10, sinceMs: 0 }, 0, true, 0],
  ])("%s", (_what, isKnownDevice, pair, brakedForMs, isRefused, delayMs) =>
    expect(judgeAttempt({ isKnownDevice, pair, brakedForMs })).toEqual({ isRefused, delayMs }),
  );

  it.each([
    [0, 0],
    [10, 0],
    [50, 0],
    [51, 1_000],
    [53, 4_000],
    [57, 60_000],
    [1_000_000, 60_000],
  ])("%i failures from anywhere slow unknown devices down for %i ms", (failures, expected) =>
    expect(accountBrakeMs(failures)).toBe(expected),
  );
});

describe("the delay after failures", () => {
  it.each([
    [0, 0],
    [4, 0],
    [5, 1_000],
    [6, 2_000],
    [10, 32_000],
    [15, 900_000],
    [1_000_000, 900_000],
  ])("%i failures: %i ms", (failures, expected) => expect(lockoutDelayMs(failures)).toBe(expected));

  it("never shrinks", () => {
    fc.assert(fc.property(fc.nat(100), (failures) => lockoutDelayMs(failures + 1) >= lockoutDelayMs(failures)));
  });
});
