import type { User } from "@butler/api";
import { describe, expect, it } from "vitest";
import { closedDenials, roleDenials, type RoleNeed } from "./person-rules.ts";
import { type Identified, identify, readRequester } from "./requester.ts";
import { ada, aTeam, aUser } from "./testing/objects.ts";

const cli = (uid: string): string => `system:serviceaccount:butler-cli:butler-cli-${uid}`;
const account = (spec: object = {}, status: object = {}): User => ({
  ...aUser({ metadata: { uid: "1234" }, spec: { authType: "sso", ssoProvider: "corporate", ...spec } }),
  status: { lastSeenGroups: ["developers"], ...status },
});
const asked = (username: string, groups: readonly string[] = []) => ({ username, uid: "", groups });
const served = (...groups: string[]) => asked(ada, ["system:authenticated", "butler:users", ...groups]);

describe("the user behind a request", () => {
  it.each<[string, ReturnType<typeof asked>, Partial<Identified["person"]>, number]>([
    ["of a CLI session is its account", asked(cli("1234")), { email: ada, groups: ["developers"] }, 1],
    ["of a CLI session without an account has none", asked(cli("9")), { email: cli("9") }, 0],
    [
      "of a ServiceAccount in another namespace has no account",
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
    ["with a certificate has the certificate's groups", asked("Ada@example.com", ["x"]), { groups: ["x"] }, 1],
    ["without an account is the username", asked("pipeline"), { email: "pipeline" }, 0],
  ])("%s", (_who, user, person, accounts) => {
    const identified = identify(user, [account()]);
    expect(identified.person).toMatchObject(person);
    expect(identified.accounts).toHaveLength(accounts);
  });
});

describe("the permissions of a requester", () => {
  const read = (user: ReturnType<typeof asked>, spec: object = {}) => {
    const list = () => Promise.resolve({ items: [account(spec)], metadata: {} });
    const create = () => Promise.resolve({ status: { allowed: false } });
    const client = { list, create } as unknown as Parameters<typeof readRequester>[1]["client"];
    return readRequester(user, { client, trustedUsernames: new Set(["butler"]) }, new AbortController().signal);
  };

  it.each<[string, ReturnType<typeof asked>, object, { isTrusted?: boolean; isPlatformAdmin: boolean }]>([
    ["include everything by the server's group", served("butler:platform:admin"), {}, { isPlatformAdmin: true }],
    ["are a viewer's by the viewer group", served("butler:platform:viewer"), {}, { isPlatformAdmin: false }],
    ["include everything by the account", served(), { platformRole: "admin" }, { isPlatformAdmin: true }],
    [
      "include everything in a CLI session, too",
      asked(cli("1234")),
      { platformRole: "admin" },
      { isPlatformAdmin: true },
    ],
    [
      "do not include platform administration by a team's group",
      served("butler:team:payments:admin"),
      {},
      { isPlatformAdmin: false },
    ],
    ["include everything for a trusted component", asked("butler"), {}, { isTrusted: true, isPlatformAdmin: true }],
  ])("%s", async (_what, user, spec, expected) => {
    expect(await read(user, spec)).toMatchObject({ isTrusted: false, ...expected });
  });
});

describe("a disabled account", () => {
  const judged = (user: ReturnType<typeof asked>, users: readonly User[]) =>
    closedDenials(user, identify(user, users)).map(({ code, message }) => `${code} ${message}`);

  it.each([
    ["through the server", served("butler:platform:admin")],
    ["in a CLI session", asked(cli("1234"))],
    ["with a certificate", asked("ADA@example.com", ["system:masters"])],
  ])("is rejected %s", (_way, user) => {
    expect(judged(user, [account()])).toEqual([]);
    expect(judged(user, [account({ disabled: true })])).toEqual([
      "FORBIDDEN the account ada (ada@example.com) is disabled",
    ]);
  });

  it("disables every other account of the same address", () => {
    expect(judged(served(), [account(), account({ disabled: true, email: "Ada@Example.com" })])).toHaveLength(1);
  });

  it("includes a deleted account of a CLI session, but not users without an account", () => {
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
    ["suffices in it", served(group), {}],
    ["does not suffice in another", served(group), { environments: ["prod"] }, "role operator in environment prod"],
    [
      "does not suffice to move a cluster out of it",
      served(group),
      { environments: ["dev", "prod"] },
      "environment prod of team payments",
    ],
    [
      "does not suffice to move a cluster into it",
      served(group),
      { environments: ["prod", "dev"] },
      "environment prod",
    ],
    [
      "does not suffice without an environment",
      served(group),
      { environments: [undefined] },
      "operator in team payments",
    ],
    ["does not suffice for a higher role", served(group), { role: "admin" }, "role admin in environment dev"],
    ["is not needed with the role in the team", asked("bob@example.com", [group]), { environments: ["prod"] }],
    ["is not needed by an administrator", served(group, "butler:platform:admin"), { environments: ["prod"] }],
    ["is not required without the team's group", asked(ada, ["ops"]), { environments: ["prod"] }],
    ["is not required with another team's group", served("butler:team:x:admin"), { environments: ["prod"] }],
    ["is not required without a team", served(group), { team: undefined, environments: ["prod"] }],
  ])("%s", (_what, user, need, refusal) => {
    if (refusal === undefined) expect(judged(user, need)).toEqual([]);
    else expect(judged(user, need).join()).toContain(refusal);
  });
});
