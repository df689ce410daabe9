import type { User } from "@butler/api";
import { describe, expect, it } from "vitest";
import { closedDenials, roleDenials, type RoleNeed } from "./person-rules.ts";
import { type Identified, identify, readRequester } from "./requester.ts";
import { ada, aTeam, aUser } from "./testing/objects.ts";

const cli = (uid: string): string => `system:serviceaccount:butler-system:butler-cli-${uid}`;
const account = (spec: object = {}, status: object = {}): User => ({
  ...aUser({ metadata: { uid: "1234" }, spec: { authType: "sso", ssoProvider: "corporate", ...spec } }),
  status: { lastSeenGroups: ["developers"], ...status },
});
const asked = (username: string, groups: readonly string[] = []) => ({ username, uid: "", groups });
const served = (...groups: string[]) => asked(ada, ["system:authenticated", "butler:users", ...groups]);

describe("the person behind a request", () => {
  it.each<[string, ReturnType<typeof asked>, Partial<Identified["person"]>, number]>([
    ["at a command line is its account", asked(cli("1234")), { email: ada, groups: ["developers"] }, 1],
    ["at a command line of nobody is nobody", asked(cli("9")), { email: cli("9") }, 0],
    [
      "at a command line in another namespace is nobody",
      asked("system:serviceaccount:web:butler-cli-1234"),
      { email: "system:serviceaccount:web:butler-cli-1234" },
      0,
    ],
    [
      "through the server has the groups of their account",
      served("butler:team:payments:viewer"),
      { email: ada, groups: ["developers"], identityProvider: "corporate" },
      1,
    ],
    ["with a certificate has the groups of it", asked("Ada@example.com", ["x"]), { groups: ["x"] }, 1],
    ["without an account is whom they are called", asked("pipeline"), { email: "pipeline" }, 0],
  ])("%s", (_who, user, person, accounts) => {
    const identified = identify(user, [account()]);
    expect(identified.person).toMatchObject(person);
    expect(identified.accounts).toHaveLength(accounts);
  });
});

describe("what a requester may do", () => {
  const read = (user: ReturnType<typeof asked>, spec: object = {}) => {
    const list = () => Promise.resolve({ items: [account(spec)], metadata: {} });
    const create = () => Promise.resolve({ status: { allowed: false } });
    const client = { list, create } as unknown as Parameters<typeof readRequester>[1]["client"];
    return readRequester(user, { client, trustedUsernames: new Set(["butler"]) }, new AbortController().signal);
  };

  it.each<[string, ReturnType<typeof asked>, object, { isTrusted?: boolean; isPlatformAdmin: boolean }]>([
    ["is everything, by the server's word", served("butler:platform:admin"), {}, { isPlatformAdmin: true }],
    ["is no more than a viewer by that of a viewer", served("butler:platform:viewer"), {}, { isPlatformAdmin: false }],
    ["is everything, by the account", served(), { platformRole: "admin" }, { isPlatformAdmin: true }],
    ["is everything at a command line, too", asked(cli("1234")), { platformRole: "admin" }, { isPlatformAdmin: true }],
    ["is not, by a group of a team", served("butler:team:payments:admin"), {}, { isPlatformAdmin: false }],
    ["is everything for a program that is trusted", asked("butler"), {}, { isTrusted: true, isPlatformAdmin: true }],
  ])("%s", async (_what, user, spec, expected) => {
    expect(await read(user, spec)).toMatchObject({ isTrusted: false, ...expected });
  });
});

describe("an account that is closed", () => {
  const judged = (user: ReturnType<typeof asked>, users: readonly User[]) =>
    closedDenials(user, identify(user, users)).map(({ code, message }) => `${code} ${message}`);

  it.each([
    ["through the server", served("butler:platform:admin")],
    ["at a command line", asked(cli("1234"))],
    ["with a certificate", asked("ADA@example.com", ["system:masters"])],
  ])("lets nobody in %s", (_way, user) => {
    expect(judged(user, [account()])).toEqual([]);
    expect(judged(user, [account({ disabled: true })])).toEqual([
      "FORBIDDEN the account ada of ada@example.com is disabled",
    ]);
  });

  it("closes every other of the same address", () => {
    expect(judged(served(), [account(), account({ disabled: true, email: "Ada@Example.com" })])).toHaveLength(1);
  });

  it("is what is gone behind a command line, but not who never had one", () => {
    expect(judged(asked(cli("9")), [account()])).toHaveLength(1);
    expect(judged(asked("bob@example.com"), [account({ disabled: true })])).toEqual([]);
  });
});

describe("a role in an environment", () => {
  const team = aTeam({
    spec: {
      access: { users: [{ name: ada }, { name: "bob@example.com", role: "operator" }] },
      environments: [{ name: "dev", access: { users: [{ name: ada, role: "operator" }] } }, { name: "prod" }],
    },
  });
  const group = "butler:team:payments:operator";
  const judged = (user: ReturnType<typeof asked>, need: Partial<RoleNeed>) =>
    roleDenials(user, identify(user, [account()]), { team, role: "operator", environments: ["dev"], ...need }).map(
      ({ message }) => message,
    );

  it.each<[string, ReturnType<typeof asked>, Partial<RoleNeed>, string?]>([
    ["is enough in it", served(group), {}],
    ["is not enough in another", served(group), { environments: ["prod"] }, "role operator in environment prod"],
    [
      "is not enough to leave it",
      served(group),
      { environments: ["dev", "prod"] },
      "environment prod of team payments",
    ],
    ["is not enough to come into it", served(group), { environments: ["prod", "dev"] }, "environment prod"],
    ["is not enough where there is none", served(group), { environments: [undefined] }, "operator in team payments"],
    ["is not enough for more", served(group), { role: "admin" }, "role admin in environment dev"],
    ["is not needed by who has it in the team", asked("bob@example.com", [group]), { environments: ["prod"] }],
    ["is not needed by an administrator", served(group, "butler:platform:admin"), { environments: ["prod"] }],
    ["is not asked of who comes without the team's group", asked(ada, ["ops"]), { environments: ["prod"] }],
    ["is not asked of who comes by another team's", served("butler:team:x:admin"), { environments: ["prod"] }],
    ["is none without a team", served(group), { team: undefined, environments: ["prod"] }],
  ])("%s", (_what, user, need, refusal) => {
    if (refusal === undefined) expect(judged(user, need)).toEqual([]);
    else expect(judged(user, need).join()).toContain(refusal);
  });
});
