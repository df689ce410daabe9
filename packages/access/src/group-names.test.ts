import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { domainOfGroup, groupKey, isReservedGroup, isSameGroup, maySpeakFor } from "./group-names.ts";
import { teamRoleOf } from "./team-role.ts";
import { aTeam } from "./testing/objects.ts";

describe("isSameGroup", () => {
  it.each([
    ["devs", "Devs", true],
    [" devs ", "devs", true],
    ["devs@corp.example", "Devs@CORP.example", true],
    ["CN=devs, OU=Corp", "cn=Devs,ou=corp", true],
    ["CN=ops\\,prod,OU=corp", "CN=ops\\2Cprod,OU=corp", true],
    ["jos\u00e9", "jose\u0301", true],
    ["devs@corp.example", "devs@evil.example", false],
    ["CN=devs,OU=corp", "CN=devs,OU=guests", false],
    ["CN=devs,OU=corp", "CN=devs", false],
    ["CN=ops\\,prod,OU=corp", "CN=ops\\,dev,OU=corp", false],
    ["CN=ops,OU=a", "CN=ops\\,OU=a", false],
    ["", "", false],
    ["@corp", "@corp", false],
    ["ops@", "ops@", false],
  ])("%j and %j: %s", (left, right, expected) => {
    expect(isSameGroup(left, right)).toBe(expected);
    expect(isSameGroup(right, left)).toBe(expected);
  });

  it.each([
    ["CN=ops,OU=Groups,DC=corp", "ops@evil.example"],
    ["CN=ops,OU=Groups,DC=corp", "ops"],
    ["ops@evil.example", "ops"],
    ["2.5.4.3=ops", "ops"],
    ["CN=ops@corp.example,OU=Groups", "ops@corp.example"],
  ])("never matches different kinds of names: %j and %j", (left, right) => {
    expect(isSameGroup(left, right)).toBe(false);
    expect(isSameGroup(right, left)).toBe(false);
  });

  it.each([
    ["a Kelvin sign", "\u212aube", "kube"],
    ["fullwidth letters", "\uff4f\uff50\uff53", "ops"],
    ["a fullwidth at sign", "ops\uff20corp.example", "ops@corp.example"],
    ["a ligature", "\ufb01nance", "finance"],
    ["a Turkish \u0130", "adm\u0130n", "admin"],
    ["a Turkish dotless i", "adm\u0131n", "admin"],
    ["a Cyrillic letter", "\u043eps", "ops"],
    ["a long s", "op\u017f", "ops"],
    ["a zero-width space", "op\u200bs", "ops"],
    ["a no-break space", "ops\u00a0", "ops"],
    ["a byte order mark", "\ufeffops", "ops"],
    ["letters of a directory", "CN=\uff4f\uff50\uff53,DC=corp", "CN=ops,DC=corp"],
  ])("is not deceived by %s", (_what, left, right) => {
    expect(isSameGroup(left, right)).toBe(false);
    expect(isSameGroup(right, left)).toBe(false);
    expect(isSameGroup(left, left)).toBe(true);
  });

  it("holds for any name and itself, and only for equal keys", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (left, right) => {
        const isSame = isSameGroup(left, right);
        if (isSame) expect(groupKey(left)).toBe(groupKey(right));
        if (groupKey(left) !== "" && !isReservedGroup(left)) expect(isSameGroup(left, left)).toBe(true);
      }),
    );
  });
});

describe("isReservedGroup", () => {
  it.each([
    ["system:masters", true],
    [" System:masters", true],
    ["butler:platform:admin", true],
    ["CN=butler:team:payments:admin,OU=x", true],
    ["OU=x,CN=system:masters", true],
    ["system:masters@corp.example", true],
    ["\uff53ystem:masters", true],
    ["system\uff1amasters", true],
    ["butler", false],
    ["my-system:masters", false],
    ["developers", false],
  ])("%j is %j", (group, expected) => {
    expect(isReservedGroup(group)).toBe(expected);
  });

  it("grants no role, whatever the token says", () => {
    for (const name of ["system:authenticated", "butler:team:payments:admin", "CN=system:masters,OU=x"]) {
      const team = aTeam({ access: { groups: [{ name, role: "admin" }] } });
      expect(teamRoleOf(team, { email: "ada@example.com", groups: [name] })).toBeUndefined();
    }
  });
});

describe("the domain of a group", () => {
  it.each([
    ["ops", undefined],
    ["ops@Corp.example", "corp.example"],
    ["CN=ops,OU=x,DC=Corp,DC=example", "corp.example"],
    ["CN=ops,OU=x", undefined],
    ["CN=ops@evil.example,DC=corp", "corp"],
  ])("of %j is %j", (group, expected) => expect(domainOfGroup(group)).toBe(expected));

  it.each([
    [undefined, ["corp.example"], true],
    ["evil.example", [], true],
    ["corp.example", ["Corp.Example"], true],
    ["evil.example", ["corp.example"], false],
    ["sub.corp.example", ["corp.example"], false],
    ["corp.example.evil", ["corp.example"], false],
    ["\uff43orp.example", ["corp.example"], false],
  ])("%j may be asserted for %j: %s", (domain, domains, expected) => {
    expect(maySpeakFor(domain, domains)).toBe(expected);
  });
});
