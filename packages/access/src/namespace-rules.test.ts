import type { TeamRole } from "@butler/api";
import { describe, expect, it } from "vitest";
import { type PolicyRule, teamNamespaceRules, tenantNamespaceRules } from "./namespace-rules.ts";

const roles: readonly TeamRole[] = ["viewer", "operator", "admin"];

function allows(rules: readonly PolicyRule[], verb: string, [group, resource]: readonly [string, string]): boolean {
  return rules.some(
    ({ apiGroups, resources, verbs, resourceNames }) =>
      resourceNames === undefined && apiGroups.includes(group) && resources.includes(resource) && verbs.includes(verb),
  );
}

const butler = (resource: string) => ["butler.butlerlabs.dev", resource] as const;
const secrets = ["", "secrets"] as const;

describe("teamNamespaceRules", () => {
  it.each<[string, readonly [string, string], readonly TeamRole[]]>([
    ["list", butler("tenantclusters"), ["viewer", "operator", "admin"]],
    ["create", butler("tenantclusters"), ["operator", "admin"]],
    ["patch", butler("tenantclusters"), ["operator", "admin"]],
    ["delete", butler("tenantaddons"), ["operator", "admin"]],
    ["delete", butler("workspaces"), ["operator", "admin"]],
    ["get", butler("providerconfigs"), ["viewer", "operator", "admin"]],
    ["update", butler("providerconfigs"), ["admin"]],
    ["get", secrets, ["admin"]],
    ["list", secrets, ["admin"]],
    ["create", secrets, ["admin"]],
    ["watch", ["", "events"], ["viewer", "operator", "admin"]],
    ["update", butler("teams"), []],
    ["update", butler("tenantclusters/status"), []],
    ["create", ["rbac.authorization.k8s.io", "rolebindings"], []],
  ])("%s %s is for %s", (verb, resource, allowed) => {
    expect(roles.filter((role) => allows(teamNamespaceRules(role), verb, resource))).toEqual(allowed);
  });
});

describe("tenantNamespaceRules", () => {
  const infrastructure = ["localclusters", "localmachines"];
  const kubeconfigSecrets = ["shop-admin-kubeconfig"];
  const named = { infrastructure, kubeconfigSecrets };

  it.each(roles)("let a %s read the cluster's objects, but neither Secrets nor join credentials", (role) => {
    const rules = tenantNamespaceRules(role, named);
    expect(allows(rules, "get", ["cluster.x-k8s.io", "machines"])).toBe(true);
    expect(allows(rules, "get", ["infrastructure.cluster.x-k8s.io", "localmachines"])).toBe(true);
    expect(allows(rules, "list", ["steward.butlerlabs.dev", "tenantcontrolplanes"])).toBe(true);
    expect(allows(rules, "get", secrets)).toBe(false);
    expect(rules.some(({ apiGroups }) => apiGroups.includes("bootstrap.cluster.x-k8s.io"))).toBe(false);
    expect(rules.flatMap(({ verbs }) => verbs).every((verb) => ["get", "list", "watch"].includes(verb))).toBe(true);
  });

  it("let only admins get the named kubeconfigs, and only those", () => {
    const kubeconfigs = { apiGroups: [""], resources: ["secrets"], verbs: ["get"], resourceNames: kubeconfigSecrets };
    expect(tenantNamespaceRules("viewer", named)).not.toContainEqual(kubeconfigs);
    expect(tenantNamespaceRules("operator", named)).not.toContainEqual(kubeconfigs);
    expect(JSON.stringify(tenantNamespaceRules("operator", named))).not.toContain("secrets");
    expect(tenantNamespaceRules("admin", named)).toContainEqual(kubeconfigs);
    // A rule without names would be one for every Secret.
    expect(JSON.stringify(tenantNamespaceRules("admin", { infrastructure }))).not.toContain("secrets");
  });

  it.each(roles)("name groups and kinds of a %s one by one", (role) => {
    for (const rule of [...teamNamespaceRules(role), ...tenantNamespaceRules(role, named)]) {
      expect([...rule.apiGroups, ...rule.resources, ...rule.verbs]).not.toContain("*");
    }
  });
});
