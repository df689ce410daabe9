import { labels } from "@butler/api";
import { aConfigMap } from "@butler/testkit";
import { describe, expect, it } from "vitest";
import type { Requester } from "./requester.ts";
import { decideTeam, decideTeamDeletion, type TeamInput } from "./team.ts";
import { ada, aCluster, aTeam, type Traits } from "./testing/objects.ts";

const by = (email: string, more: Partial<Requester> = {}, groups: string[] = []): Requester => ({
  person: { email, groups },
  isTrusted: false,
  isPlatformAdmin: false,
  ...more,
});
const root = by("root@example.com", { isPlatformAdmin: true });
const server = by("system:serviceaccount:butler-system:server", { isTrusted: true });
const [admin, operator, stranger] = [by(ada), by("bob@example.com"), by("eve@example.com")];

const admins = (...names: string[]): Traits => ({
  spec: { access: { users: names.map((name) => ({ name, role: "admin" })) } },
});
const limits: Traits = { spec: { resourceLimits: { maxClusters: 99 } } };
const environmentLimits = (maxClusters: number): Traits => ({
  spec: { environments: [{ name: "dev", limits: { maxClusters } }, { name: "prod" }] },
});
const plain: Traits = { spec: { environments: [] } };

type Case = [what: string, requester: Requester, before: Traits | undefined, after: Traits, refusal?: string];

describe("a team", () => {
  it.each<Case>([
    ["is created without limits by any user who may create teams", stranger, undefined, plain],
    ["is created with limits by a platform administrator", root, undefined, limits],
    ["is created with limits by Butler's server", server, undefined, limits],
    ["is not created with limits by others", stranger, undefined, limits, "FORBIDDEN spec.resourceLimits"],
    [
      "is not created with limits by a user who makes themselves its administrator",
      by(ada),
      undefined,
      limits,
      "FORBIDDEN spec.resourceLimits",
    ],
    [
      "is not created with environment limits by others",
      stranger,
      undefined,
      environmentLimits(1),
      "FORBIDDEN spec.environments",
    ],
    ["gets other limits from a platform administrator", root, {}, limits],
    ["does not get other limits from its administrator", admin, {}, limits, "FORBIDDEN spec.resourceLimits"],
    ["does not lose its limits to its administrator", admin, limits, {}, "FORBIDDEN spec.resourceLimits"],
    ["gets environments from its administrator", admin, {}, environmentLimits(5)],
    [
      "gets environments from its administrator by group",
      by("carl@example.com", {}, ["Leads"]),
      { spec: { access: { groups: [{ name: "leads", role: "admin" }] } } },
      { spec: { access: { groups: [{ name: "leads", role: "admin" }] }, environments: [{ name: "qa" }] } },
    ],
    [
      "gets nothing from a namesake of its administrators' group",
      by("carl@example.com", {}, ["CN=Leads,OU=x", "leads@evil.example"]),
      { spec: { access: { groups: [{ name: "leads", role: "admin" }] } } },
      { spec: { access: { groups: [{ name: "leads", role: "admin" }] }, environments: [{ name: "qa" }] } },
      "FORBIDDEN spec.environments",
    ],
    ["does not get environments from an operator", operator, {}, environmentLimits(5), "FORBIDDEN spec.environments"],
    ["does not lose environments to an operator", operator, environmentLimits(5), {}, "FORBIDDEN spec.environments"],
    ["gets members from its administrator", admin, {}, admins(ada, "bob@example.com", "eve@example.com")],
    [
      "does not get a new administrator from that user",
      stranger,
      {},
      admins(ada, "bob@example.com", "eve@example.com"),
      "FORBIDDEN spec.access",
    ],
    [
      "does not get an administrator from an operator",
      operator,
      {},
      admins(ada, "bob@example.com"),
      "FORBIDDEN spec.access",
    ],
    [
      "gets nothing from an administrator of another team",
      by("eve@example.com"),
      {},
      { spec: { displayName: "Mine" } },
      "FORBIDDEN spec.displayName",
    ],
    [
      "gets nothing from an environment's administrator",
      operator,
      { spec: { environments: [{ name: "dev", access: { users: [{ name: "bob@example.com", role: "admin" }] } }] } },
      { spec: { environments: [], displayName: "x" } },
      "FORBIDDEN spec.environments",
    ],
    ["may be labeled by any user", stranger, {}, { metadata: { labels: { a: "b" } } }],
    [
      "gets no limits while it is being deleted",
      stranger,
      {},
      { ...limits, metadata: { deletionTimestamp: "2026-01-01T00:00:00Z" } },
      "FORBIDDEN spec.resourceLimits",
    ],
    [
      "may be deleted although it is invalid",
      stranger,
      limits,
      { ...limits, metadata: { deletionTimestamp: "2026-01-01T00:00:00Z" } },
    ],
    [
      "has no user in an environment who is not a member",
      admin,
      {},
      { spec: { environments: [{ name: "dev", access: { users: [{ name: "eve@example.com" }] } }] } },
      "NOT_ALLOWED spec.environments[0].access.users[0].name: eve@example.com is not a member of the team",
    ],
    [
      "compares users in environments case-insensitively",
      admin,
      {},
      { spec: { environments: [{ name: "dev", access: { users: [{ name: "BOB@example.com" }] } }] } },
    ],
    [
      "compares groups in environments exactly",
      admin,
      { spec: { access: { users: [{ name: ada, role: "admin" }], groups: [{ name: "leads" }] } } },
      {
        spec: {
          access: { users: [{ name: ada, role: "admin" }], groups: [{ name: "leads" }] },
          environments: [{ name: "dev", access: { groups: [{ name: "Leads" }] } }],
        },
      },
      "NOT_ALLOWED spec.environments[0].access.groups[0].name",
    ],
    [
      "does not list system:authenticated",
      root,
      {},
      { spec: { access: { groups: [{ name: "system:authenticated" }] } } },
      "NOT_ALLOWED spec.access.groups[0].name: system:authenticated is reserved for Kubernetes or Butler",
    ],
    [
      "does not list a group of Butler's server",
      root,
      {},
      { spec: { access: { groups: [{ name: "Butler:team:other:admin" }] } } },
      "NOT_ALLOWED spec.access.groups[0].name",
    ],
    [
      "does not list a Kubernetes component",
      root,
      {},
      { spec: { access: { users: [{ name: "system:admin", role: "admin" }] } } },
      "NOT_ALLOWED spec.access.users[0].name",
    ],
    [
      "has no name that is reserved for the platform",
      root,
      undefined,
      { metadata: { name: "butler-system" } },
      "NOT_ALLOWED metadata.name",
    ],
    [
      "has no name that is reserved for Kubernetes",
      root,
      undefined,
      { metadata: { name: "kube-system" } },
      "NOT_ALLOWED metadata.name",
    ],
  ])("%s", (_what, requester, before, after, refusal) => {
    const input: TeamInput = { team: aTeam(after), before: before && aTeam(before), requester, namespace: undefined };
    const reasons = decideTeam(input).map(({ code, path, message }) => `${code} ${path}: ${message}`);
    if (refusal === undefined) expect(reasons).toEqual([]);
    else expect(reasons.join("\n")).toContain(refusal);
  });

  it("does not take over a namespace", () => {
    const judged = (owner?: string) => {
      const namespace = aConfigMap({ name: "payments", labels: owner === undefined ? {} : { [labels.team]: owner } });
      return decideTeam({ team: aTeam(plain), before: undefined, requester: root, namespace });
    };
    expect(judged().map(({ code }) => code)).toEqual(["IN_USE"]);
    expect(judged("web")).toHaveLength(1);
    expect(judged("payments")).toEqual([]);
  });

  it("cannot be deleted while it has clusters", () => {
    const clusters = [
      aCluster(),
      aCluster({ metadata: { name: "api" } }),
      aCluster({ spec: { teamRef: { name: "web" } } }),
    ];
    const [denial] = decideTeamDeletion(aTeam(), clusters);
    expect(denial?.message).toBe("team payments has 2 cluster(s): payments/api, payments/shop; delete them first");
    expect(decideTeamDeletion(aTeam(), clusters.slice(2))).toEqual([]);
  });
});
