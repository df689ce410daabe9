import { builtinKinds, defineResource, localRef } from "@butler/resource";
import { describe, expect, it } from "vitest";
import type { PolicyRule } from "./define-controller.ts";
import { buildClusterRole, rbacRules } from "./rbac.ts";

const base = { group: "demo.example", version: "v1", scope: "Namespaced", doc: "For the test.", example: {} } as const;
const Widget = defineResource({ ...base, kind: "Widget", spec: localRef(), status: localRef() });
const Plain = defineResource({ ...base, kind: "Plain", spec: localRef() });

const { ConfigMap, Secret, Namespace } = builtinKinds;
const aController = { name: "widget", primary: Widget };
const read = ["get", "list", "watch"];

/** The rules as a table: group and resource to verbs. */
const tableOf = (rules: readonly PolicyRule[]): Record<string, readonly string[]> =>
  Object.fromEntries(
    rules.map(({ apiGroups, resources, verbs }) => [`${apiGroups.join()}/${resources.join()}`, verbs]),
  );

const events = { "/events": ["create", "get", "patch"] };
const status = { "demo.example/widgets/status": ["patch"] };

describe("rbacRules", () => {
  it("lets a controller that does nothing read its kind, write its status and record events", () => {
    expect(tableOf(rbacRules([aController]))).toEqual({ ...events, "demo.example/widgets": read, ...status });
  });

  it("grants no status where the kind has none", () => {
    expect(tableOf(rbacRules([{ name: "plain", primary: Plain }]))).toEqual({ ...events, "demo.example/plains": read });
  });

  it("lets a controller with a finalizer patch its kind", () => {
    expect(tableOf(rbacRules([{ ...aController, finalizer: "demo.example/widget" }]))).toEqual({
      ...events,
      "demo.example/widgets": ["get", "list", "patch", "watch"],
      ...status,
    });
  });

  it("lets a controller write what it owns, and block the owner's deletion by it", () => {
    expect(tableOf(rbacRules([{ ...aController, owns: [{ kind: ConfigMap }] }]))).toEqual({
      "/configmaps": ["create", "delete", "get", "list", "patch", "watch"],
      ...events,
      "demo.example/widgets": read,
      "demo.example/widgets/finalizers": ["update"],
      ...status,
    });
  });

  it("lets a controller only read what it watches and reads", () => {
    const controller = { ...aController, watches: [{ kind: Secret, map: () => [] }], reads: [{ kind: Namespace }] };
    expect(tableOf(rbacRules([controller]))).toEqual({
      ...events,
      "/namespaces": read,
      "/secrets": read,
      "demo.example/widgets": read,
      ...status,
    });
  });

  it("grants each resource once, with all verbs that any controller needs", () => {
    const rules = rbacRules([
      { ...aController, owns: [{ kind: ConfigMap }] },
      { name: "plain", primary: Plain, reads: [{ kind: ConfigMap }, { kind: Widget }] },
    ]);
    expect(rules.filter(({ resources }) => resources.includes("configmaps"))).toEqual([
      { apiGroups: [""], resources: ["configmaps"], verbs: ["create", "delete", "get", "list", "patch", "watch"] },
    ]);
    expect(rules.filter(({ resources }) => resources.includes("widgets"))).toHaveLength(1);
  });

  it("adds the permissions that a controller states itself", () => {
    const permission = { apiGroups: [""], resources: ["pods/eviction"], verbs: ["create"] };
    expect(rbacRules([{ ...aController, permissions: [permission] }]).at(-1)).toEqual(permission);
  });

  it.each<[string, PolicyRule]>([
    ["verbs", { apiGroups: [""], resources: ["pods"], verbs: ["*"] }],
    ["resources", { apiGroups: [""], resources: ["*"], verbs: ["get"] }],
    ["subresources", { apiGroups: [""], resources: ["pods/*"], verbs: ["get"] }],
    ["groups", { apiGroups: ["*"], resources: ["pods"], verbs: ["get"] }],
  ])("refuses a wildcard among the %s that a controller states", (_what, permission) => {
    expect(() => rbacRules([{ ...aController, permissions: [permission] }])).toThrow("controller widget");
  });

  it("returns the same text for any order of controllers and kinds", () => {
    const one = { ...aController, owns: [{ kind: ConfigMap }, { kind: Secret }], finalizer: "f" };
    const other = { name: "plain", primary: Plain, reads: [{ kind: Namespace }, { kind: ConfigMap }] };
    const turned = { ...one, owns: one.owns.toReversed() };
    expect(JSON.stringify(rbacRules([one, other]))).toBe(JSON.stringify(rbacRules([other, turned])));
  });
});

describe("buildClusterRole", () => {
  it("wraps the rules in a ClusterRole of the given name", () => {
    expect(buildClusterRole("butler-controllers", [aController])).toEqual({
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "ClusterRole",
      metadata: { name: "butler-controllers", labels: { "app.kubernetes.io/managed-by": "butler" } },
      rules: rbacRules([aController]),
    });
  });
});
