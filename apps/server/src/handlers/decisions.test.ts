import { planChangeMember, planPlatformRole, planRemoveMember } from "@butler/administration";
import { effectivePlatformRole, Team, TenantCluster, User } from "@butler/api";
import { parseObject } from "@butler/resource";
import { describe, expect, it } from "vitest";
import { planChange } from "./cluster-change.ts";
import { buildNewCluster } from "./new-cluster.ts";
import { planAddGroup, planChangeGroup } from "./team-change.ts";
import { newObject, replacement } from "./writing.ts";

const aCluster = (spec: object = {}, status: object = {}) =>
  parseObject(TenantCluster, newObject(TenantCluster, { name: "shop", namespace: "payments" }, { spec, status }));
const aTeam = (spec: object = {}) => parseObject(Team, newObject(Team, { name: "payments" }, { spec }));

describe("replacement", () => {
  it("removes fields that only the former value has", () => {
    expect(replacement({ a: 1, b: { c: 1, d: 2 } }, { b: { c: 3 } })).toEqual({ a: null, b: { c: 3, d: null } });
    expect(replacement(undefined, { a: 1 })).toEqual({ a: 1 });
    expect(replacement({ a: 1 }, undefined)).toBeUndefined();
  });
});

describe("buildNewCluster", () => {
  const facts = { team: aTeam(), config: undefined, creator: "Ada@Example.com" };

  it("lets request fields override the spec, and keeps the authorized team", () => {
    const made = buildNewCluster(
      {
        name: "shop",
        workerCPU: 2,
        providerConfigRef: "infra/local",
        spec: { workers: { replicas: 5 }, teamRef: { name: "others" } },
      },
      facts,
    );
    expect(made.spec).toEqual({
      workers: { replicas: 5, machineTemplate: { cpu: 2 } },
      teamRef: { name: "payments" },
      providerConfigRef: { name: "local", namespace: "infra" },
    });
    const alone = buildNewCluster(
      { name: "shop", spec: { teamRef: { name: "others" } } },
      { ...facts, team: undefined },
    );
    expect(alone).toMatchObject({ metadata: { namespace: "butler-tenants" }, spec: {} });
    expect(alone.spec).not.toHaveProperty("teamRef");
  });

  it("does not write empty load-balancer bounds", () => {
    expect(buildNewCluster({ name: "x", loadBalancerStart: "", loadBalancerEnd: "" }, facts).spec).not.toHaveProperty(
      "networking",
    );
  });
});

describe("changes to clusters", () => {
  const cluster = aCluster({
    kubernetesVersion: "v1.34.1",
    controlPlane: { replicas: 3 },
    workerPools: [{ name: "gpu", replicas: 1 }],
  });

  it("produce a patch, or nothing", () => {
    expect(planChange(cluster, {})).toBeUndefined();
    expect(planChange(cluster, { workers: { replicas: 2 }, paused: true })).toEqual({
      spec: { workers: { replicas: 2 }, paused: true },
    });
  });

  it.each<[string, () => unknown, string]>([
    ["an older version", () => planChange(cluster, { kubernetesVersion: "v1.33.0" }), "downgrades are not supported"],
    ["two versions at once", () => planChange(cluster, { kubernetesVersion: "v1.36.0" }), "upgrade to v1.35 first"],
    ["a silent loss of replicas", () => planChange(cluster, { controlPlane: { replicas: 1 } }), "acknowledge"],
    [
      "another owner",
      () => planChange(cluster, { spec: { teamRef: { name: "x" } } }),
      "the team of a cluster cannot be changed",
    ],
  ])("reject %s", (_what, change, text) => {
    expect(change).toThrow(text);
  });
});

describe("changes to teams", () => {
  const access = {
    users: [{ name: "Ada@example.com", role: "admin" }, { name: "bob@example.com" }],
    groups: [{ name: "ops", role: "operator" }],
  };
  const team = aTeam({
    access,
    environments: [{ name: "dev", access: { users: [{ name: "bob@example.com", role: "operator" }] } }],
  });

  it("remove a member from the team and all its environments", () => {
    expect(planRemoveMember(team, "BOB@example.com")).toMatchObject({
      spec: {
        access: { users: [{ name: "Ada@example.com" }] },
        environments: [{ name: "dev", access: { users: [] } }],
      },
    });
  });

  it("keep the last admin", () => {
    expect(() => planRemoveMember(team, "ada@example.com")).toThrow("must keep at least one admin");
    expect(() => planChangeMember(team, "ada@example.com", "viewer")).toThrow("must keep at least one admin");
    const other = aTeam({ access: { ...access, groups: [{ name: "ops", role: "admin" }] } });
    expect(() => planRemoveMember(other, "ada@example.com")).not.toThrow();
    expect(() =>
      planChangeGroup(aTeam({ access: { groups: [{ name: "ops", role: "admin" }] } }), { name: "ops" }, undefined),
    ).toThrow("must keep at least one admin");
  });

  it("distinguish groups of the same name by provider", () => {
    expect(() => planAddGroup(team, { name: "ops" }, "viewer")).toThrow("already");
    expect(planAddGroup(team, { name: "ops", identityProvider: "company" }, "viewer")).toMatchObject({
      spec: { access: { groups: [{ name: "ops" }, { name: "ops", identityProvider: "company", role: "viewer" }] } },
    });
  });
});

describe("platform roles", () => {
  it.each(["admin", "viewer", null] as const)(
    "are %s afterwards, whatever the previous roles and the form of the request",
    (role) => {
      for (const before of [{ isPlatformAdmin: true }, { platformRole: "viewer" }, {}]) {
        const { platformRole, ...rest } = planPlatformRole(role).spec;
        const spec = { email: "ada@example.com", ...before, ...rest, platformRole: platformRole ?? undefined };
        const changed = parseObject(User, newObject(User, { name: "ada" }, { spec }));
        expect(effectivePlatformRole(changed.spec)).toBe(role ?? undefined);
      }
    },
  );
});
