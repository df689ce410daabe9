import { describe, expect, it } from "vitest";
import type { Team, TenantCluster, User } from "@butler/api";
import { cliAccountName, cliGrantsOf, userOfCliAccount } from "./cli-account.ts";

const user = (spec: object = {}, status: object = {}): User =>
  ({ metadata: { name: "ada", uid: "1111" }, spec: { email: "Ada@example.com", ...spec }, status }) as unknown as User;
const team = (name: string, spec: object): Team =>
  ({ metadata: { name }, spec: { access: {}, ...spec } }) as unknown as Team;
const cluster = (tenantNamespace: string | undefined, environment?: string): TenantCluster =>
  ({ metadata: { labels: { environment } }, spec: {}, status: { tenantNamespace } }) as unknown as TenantCluster;

const payments = team("payments", {
  access: { users: [{ name: "ada@example.com", role: "operator" }] },
  environments: [{ name: "dev", access: { users: [{ name: "ada@example.com", role: "admin" }] } }],
});
const search = team("search", {
  access: { groups: [{ name: "searchers", role: "admin", identityProvider: "corporate" }] },
});
const visitors = team("visitors", {
  environments: [{ name: "dev", access: { users: [{ name: "ada@example.com", role: "admin" }] } }],
});

const factsOf = (teams: Team[], clusters: Record<string, TenantCluster[]> = {}) => ({
  teams,
  clustersOf: (name: string) => clusters[name] ?? [],
  environmentOf: ({ metadata }: TenantCluster) => metadata.labels?.["environment"],
});

describe("roles for Kubernetes' own tools", () => {
  it("are those of the team, and in an environment's clusters the higher ones", () => {
    const clusters = { payments: [cluster("shop-1"), cluster("try-2", "dev"), cluster(undefined)] };
    expect(cliGrantsOf(user(), factsOf([payments, search], clusters)).namespaces).toEqual([
      { namespace: "payments", role: "operator" },
      { namespace: "shop-1", role: "operator" },
      { namespace: "try-2", role: "admin" },
    ]);
  });

  it("are a viewer's in the namespace, and nothing in other clusters, for a role in an environment alone", () => {
    const clusters = { visitors: [cluster("shop-1"), cluster("try-2", "dev")] };
    expect(cliGrantsOf(user(), factsOf([visitors], clusters)).namespaces).toEqual([
      { namespace: "visitors", role: "viewer" },
      { namespace: "try-2", role: "admin" },
    ]);
  });

  it.each([
    ["of their provider", "corporate", [{ namespace: "search", role: "admin" }]],
    ["of another provider", "elsewhere", []],
  ])("come through groups %s", (_which, ssoProvider, expected) => {
    const member = user({ ssoProvider }, { lastSeenGroups: ["Searchers"] });
    expect(cliGrantsOf(member, factsOf([search])).namespaces).toEqual(expected);
  });

  it("include the account's platform role", () => {
    expect(cliGrantsOf(user({ platformRole: "viewer" }), factsOf([])).platformRole).toBe("viewer");
  });

  it("are none for an account that is disabled or being deleted", () => {
    const none = { platformRole: undefined, namespaces: [] };
    expect(cliGrantsOf(user({ disabled: true, platformRole: "admin" }), factsOf([payments]))).toEqual(none);
    const leaving = { ...user(), metadata: { name: "ada", uid: "1111", deletionTimestamp: "2026-01-01T00:00:00Z" } };
    expect(cliGrantsOf(leaving, factsOf([payments]))).toEqual(none);
  });
});

it("the account is found by its Kubernetes username", () => {
  const of = (username: string) => userOfCliAccount(username, [user()])?.metadata.name;
  for (const namespace of ["butler-cli", "butler-cli-admins", "butler-system"])
    expect(of(`system:serviceaccount:${namespace}:${cliAccountName("1111")}`)).toBe("ada");
  expect(of(`system:serviceaccount:payments:${cliAccountName("1111")}`)).toBeUndefined();
  expect(of(`system:serviceaccount:butler-cli:${cliAccountName("")}`)).toBeUndefined();
  expect(of("ada@example.com")).toBeUndefined();
});
