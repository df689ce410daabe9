import { labels } from "@butler/api";
import type { Plan } from "@butler/controller";
import { type DynamicObject, findCondition, type KubeObject } from "@butler/resource";
import { planFrozen, settleDeletion, settleToFixedPoint } from "@butler/testkit";
import { describe, expect, it } from "vitest";
import { aButlerConfig, aCluster, aTeam } from "../shared/testing/objects.ts";
import { type Observed, plan } from "./plan.ts";
import { settle } from "./testing/settle.ts";

const now = new Date("2026-01-01T00:00:00Z");
const deletionTimestamp = "2026-01-01T00:00:00Z";
const ada = { users: [{ name: "ada@example.com", role: "admin" }] };

function observedWith(change: Partial<Observed> = {}): Observed {
  const team = aTeam({ spec: { access: ada } });
  const rights = { roles: [], roleBindings: [], clusterRoles: [], clusterRoleBindings: [] };
  return { team, config: aButlerConfig(), clusters: [], namespace: undefined, ...rights, ...change };
}

const trialOf = (observed: Observed) => ({ plan, observed, now, settle });
const atRest = (change: Partial<Observed> = {}): Observed => settleToFixedPoint(trialOf(observedWith(change))).observed;
const planOf = (observed: Observed): Plan => planFrozen(trialOf(observed), observed);
const conditionOf = ({ conditions = [] }: Plan, type: string) =>
  findCondition(
    conditions.map((stated) => ({ ...stated, lastTransitionTime: "" })),
    type,
  );
const targets = (objects: readonly KubeObject[] = []) =>
  objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
const aNamespace = (metadata: object = {}): DynamicObject => ({
  apiVersion: "v1",
  kind: "Namespace",
  metadata: { name: "payments", ...metadata },
});

describe("a new team", () => {
  it("gets a namespace, roles in it and on the team itself, and bindings, and is ready once they exist", () => {
    const first = planOf(observedWith());
    expect(targets(first.apply)).toEqual([
      "Namespace payments",
      ...["viewer", "operator", "admin"].map((role) => `Role butler-team-${role}`),
      "Role butler-platform-admin",
      ...["member", "admin"].map((relation) => `ClusterRole butler:team:payments:${relation}`),
      ...["viewer", "operator", "admin"].map((role) => `RoleBinding butler-team-${role}`),
      "RoleBinding butler-platform-admin",
      ...["member", "admin"].map((relation) => `ClusterRoleBinding butler:team:payments:${relation}`),
    ]);
    expect(first.status).toMatchObject({ phase: "Pending" });
    const { plan: last, passes } = settleToFixedPoint(trialOf(observedWith()));
    expect(passes).toBe(2);
    expect(last.status).toMatchObject({ phase: "Ready", namespace: "payments", memberCount: 1, clusterCount: 0 });
    expect(last.conditions?.map(({ type, status }) => `${type} ${status}`)).toEqual([
      "Ready True",
      "NamespaceReady True",
      "RBACReady True",
      "QuotaExceeded False",
    ]);
  });

  it("has a namespace without an owner, and no default roles of Kubernetes", () => {
    const { apply = [] } = planOf(observedWith());
    expect(apply.filter(({ metadata }) => metadata.ownerReferences?.length !== 0)).toEqual([]);
    expect(apply[0]?.metadata).toMatchObject({
      labels: { [labels.team]: "payments", "pod-security.kubernetes.io/enforce": "restricted" },
    });
    expect(JSON.stringify(apply)).not.toMatch(/cluster-admin|"\*"/);
  });

  it("lets members read and administrators change its own object only", () => {
    const { apply = [] } = planOf(observedWith());
    const ofKind = (kind: string) => apply.filter((object) => object.kind === kind) as DynamicObject[];
    expect(ofKind("ClusterRole").map(({ metadata, rules }) => [metadata.name, rules])).toEqual(
      [
        ["butler:team:payments:member", ["get"]],
        ["butler:team:payments:admin", ["get", "patch", "update"]],
      ].map(([name, verbs]) => [
        name,
        [{ apiGroups: ["butler.butlerlabs.dev"], resources: ["teams"], verbs, resourceNames: ["payments"] }],
      ]),
    );
    const subjects = ofKind("ClusterRoleBinding").map((binding) =>
      (binding["subjects"] as { kind: string; name: string }[]).map(({ kind, name }) => `${kind} ${name}`),
    );
    expect(subjects).toEqual([
      ["Group butler:team:payments:viewer", "Group butler:team:payments:operator"],
      ["Group butler:team:payments:admin", "User ada@example.com"],
    ]);
  });

  it("gives viewers and operators no access to Secrets", () => {
    const roles = planOf(observedWith()).apply?.filter(({ kind }) => kind === "Role") ?? [];
    const meetsSecrets = roles
      .filter((role) => JSON.stringify(role).includes("secrets"))
      .map(({ metadata }) => metadata.name);
    expect(meetsSecrets).toEqual(["butler-team-admin", "butler-platform-admin"]);
  });

  it.each([
    ["there is no ButlerConfig", undefined],
    ["the mode is Disabled", aButlerConfig({ spec: { multiTenancy: { mode: "Disabled" } } })],
  ])("gets nothing while %s", (_why, config) => {
    const decided = planOf(observedWith({ config }));
    expect(decided.apply ?? []).toEqual([]);
    expect(conditionOf(decided, "Ready")).toMatchObject({ status: "False", reason: "TenancyDisabled" });
  });
});

describe("an existing team", () => {
  it("keeps its namespace and its access when tenancy is disabled", () => {
    const config = aButlerConfig({ spec: { multiTenancy: { mode: "Disabled" } } });
    const decided = planOf({ ...atRest(), config });
    expect(conditionOf(decided, "Ready")).toMatchObject({ status: "True" });
    expect(decided.apply).toHaveLength(13);
  });

  it("loses the binding of a removed user", () => {
    const team = aTeam({ spec: { access: { users: [] } } });
    const bindings = planOf({ ...atRest(), team }).apply?.filter(({ kind }) => kind === "RoleBinding");
    expect(JSON.stringify(bindings)).not.toContain("ada@example.com");
  });

  it("reconciles a binding and stays ready", () => {
    const observed = atRest();
    const roleBindings = observed.roleBindings.map((binding) => ({
      ...binding,
      subjects: [{ kind: "User", name: "eve" }],
    }));
    expect(conditionOf(planOf({ ...observed, roleBindings }), "RBACReady")).toMatchObject({ status: "False" });
    const condition = { type: "RBACReady", status: "True", reason: "Ready", message: "", lastTransitionTime: "" };
    const team = aTeam({ spec: { access: ada }, status: { conditions: [condition] } });
    expect(planOf({ ...observed, roleBindings, team }).status).toMatchObject({ phase: "Ready" });
  });

  it("recreates a binding with another roleRef", () => {
    const observed = atRest();
    const roleBindings = observed.roleBindings.map((binding) => ({
      ...binding,
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "cluster-admin" },
    }));
    const decided = planOf({ ...observed, roleBindings });
    expect(decided.remove?.map(({ name }) => name)).toEqual([
      "butler-platform-admin",
      "butler-team-admin",
      "butler-team-operator",
      "butler-team-viewer",
    ]);
    expect(targets(decided.apply)).not.toContain("RoleBinding butler-team-admin");
    expect(settleToFixedPoint(trialOf({ ...observed, roleBindings })).observed).toEqual(observed);
  });

  it("recreates a binding of its object with another roleRef", () => {
    const observed = atRest();
    const clusterRoleBindings = observed.clusterRoleBindings.map((binding) => ({
      ...binding,
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "cluster-admin" },
    }));
    const decided = planOf({ ...observed, clusterRoleBindings });
    expect(decided.remove).toHaveLength(2);
    expect(settleToFixedPoint(trialOf({ ...observed, clusterRoleBindings })).observed).toEqual(observed);
  });

  it("reports the groups that are ignored for their names", () => {
    const groups = [{ name: "system:authenticated", role: "admin" }, { name: "butler:platform:admin" }];
    const observed = atRest({ team: aTeam({ spec: { access: { groups } } }) });
    const decided = planOf(observed);
    const ofTeam = (decided.apply ?? []).filter(({ metadata }) => metadata.name !== "butler-platform-admin");
    expect(JSON.stringify(ofTeam)).not.toMatch(/system:authenticated|butler:platform/);
    expect(conditionOf(decided, "RBACReady")?.message).toContain("butler:platform:admin, system:authenticated");
  });

  it("deletes its own obsolete bindings, and keeps those of others", () => {
    const observed = atRest();
    const extra = (name: string, metadata: object = {}): DynamicObject => ({
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "RoleBinding",
      metadata: { name, namespace: "payments", ...metadata },
    });
    const old = extra("butler-team-user-ada", { annotations: { "applied.butler.butlerlabs.dev/team": "0123" } });
    const decided = planOf({ ...observed, roleBindings: [...observed.roleBindings, old, extra("of-another-owner")] });
    expect(decided.remove?.map(({ name }) => name)).toEqual(["butler-team-user-ada"]);
  });
});

describe("a namespace of the team's name", () => {
  it.each([
    ["that a user created", {}],
    ["of another team", { labels: { [labels.team]: "search", [labels.managedBy]: "butler" } }],
    ["of a cluster", { labels: { [labels.team]: "payments", [labels.managedBy]: "butler", [labels.tenant]: "shop" } }],
  ])("%s is left alone", (_which, metadata) => {
    const decided = planOf(observedWith({ namespace: aNamespace(metadata) }));
    expect([decided.apply ?? [], decided.remove ?? []]).toEqual([[], []]);
    expect(decided.status).toMatchObject({ phase: "Failed" });
    expect(conditionOf(decided, "NamespaceReady")).toMatchObject({ status: "False", reason: "NamespaceTaken" });
    const deleted = aTeam({ deletionTimestamp });
    expect(planOf(observedWith({ team: deleted, namespace: aNamespace(metadata) }))).toEqual({ finalizer: "release" });
  });

  it.each([
    ["by its labels", { labels: { [labels.team]: "payments", [labels.managedBy]: "butler" } }],
    ["by the note of its maker", { annotations: { "applied.butler.butlerlabs.dev/team": "0123" } }],
  ])("is known %s", (_how, metadata) => {
    expect(planOf(observedWith({ namespace: aNamespace(metadata) })).apply).toHaveLength(13);
  });

  it("that is being deleted is waited for, and its blockers are reported", () => {
    const status = {
      conditions: [{ type: "NamespaceContentRemaining", status: "True", message: "1 secrets left", reason: "Some" }],
    };
    const namespace = {
      ...aNamespace({ labels: { [labels.team]: "payments", [labels.managedBy]: "butler" } }),
      status,
    };
    namespace.metadata.deletionTimestamp = deletionTimestamp;
    const decided = planOf(observedWith({ namespace }));
    expect(decided.apply ?? []).toEqual([]);
    expect(conditionOf(decided, "Ready")).toMatchObject({
      reason: "NamespaceTerminating",
      message: "namespace payments is being deleted; 1 secrets left",
    });
  });
});

describe("the deletion of a team", () => {
  const team = aTeam({ deletionTimestamp, finalizers: ["butler.butlerlabs.dev/team"], spec: { access: ada } });

  it("waits for its clusters, lists them, and keeps the members' access until then", () => {
    const observed = { ...atRest(), team, clusters: [aCluster(), aCluster({ name: "blog" })] };
    const decided = planOf(observed);
    expect(decided).toMatchObject({ finalizer: "hold", status: { phase: "Terminating" }, remove: [] });
    expect(conditionOf(decided, "Ready")).toMatchObject({
      status: "False",
      reason: "DeletionBlocked",
      message: expect.stringContaining("deletion blocked by 2 clusters: payments/blog, payments/shop") as string,
    });
    expect(decided.apply).toHaveLength(13);
  });

  it("does not recreate a deleted namespace", () => {
    const decided = planOf(observedWith({ team, clusters: [aCluster({ namespace: "elsewhere" })] }));
    expect([decided.finalizer, decided.apply ?? []]).toEqual(["hold", []]);
    expect(conditionOf(decided, "Ready")?.reason).toBe("DeletionBlocked");
  });

  it("deletes the namespace and completes when it no longer exists", () => {
    const observed = { ...atRest(), team };
    expect(planOf(observed).remove?.map(({ kind, name }) => `${kind.kind} ${name}`)).toEqual([
      "Namespace payments",
      ...["admin", "member"].map((relation) => `ClusterRoleBinding butler:team:payments:${relation}`),
      ...["admin", "member"].map((relation) => `ClusterRole butler:team:payments:${relation}`),
    ]);
    expect(settleDeletion(trialOf(observed))).toMatchObject({
      namespace: undefined,
      clusterRoles: [],
      clusterRoleBindings: [],
    });
  });

  it("deletes leftovers outside of a deleted namespace", () => {
    const decided = planOf({ ...atRest(), team, namespace: undefined });
    expect([decided.finalizer, decided.remove?.length]).toEqual(["release", 4]);
  });
});
