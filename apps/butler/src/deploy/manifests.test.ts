import type { PolicyRule } from "@butler/controller";
import type { DynamicObject } from "@butler/resource";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type RoleDeployment, roleManifests } from "./manifests.ts";

const rules: PolicyRule[] = [{ apiGroups: [""], resources: ["configmaps"], verbs: ["get", "list", "watch"] }];
const minimal: RoleDeployment = {
  role: "local-provider",
  image: "ghcr.io/butlerdotdev/butler:0123456789ab",
  namespace: "butler-system",
  rules,
};

interface Container {
  readonly args: readonly string[];
  readonly [field: string]: unknown;
}

interface Deployment extends DynamicObject {
  readonly spec: {
    readonly replicas: number;
    readonly strategy: { readonly type: string };
    readonly selector: { readonly matchLabels: Record<string, string> };
    readonly template: {
      readonly metadata: { readonly labels: Record<string, string> };
      readonly spec: { readonly containers: readonly [Container]; readonly [field: string]: unknown };
    };
  };
}

const kindsOf = (objects: readonly DynamicObject[]): string[] => objects.map(({ kind }) => kind);

function find(deployment: RoleDeployment, kind: string): DynamicObject {
  return roleManifests(deployment).find((object) => object.kind === kind) ?? expect.fail(`no ${kind}`);
}

function podOf(deployment: RoleDeployment) {
  const { spec } = find(deployment, "Deployment") as Deployment;
  return { ...spec, pod: spec.template.spec, container: spec.template.spec.containers[0] };
}

describe("roleManifests", () => {
  it("creates a ServiceAccount with the given permissions, and a Deployment that uses it", () => {
    const objects = roleManifests(minimal);
    expect(kindsOf(objects)).toEqual([
      "ServiceAccount",
      "ClusterRole",
      "ClusterRoleBinding",
      "PodDisruptionBudget",
      "Deployment",
    ]);
    for (const { metadata } of objects) expect(metadata.name).toBe("butler-local-provider");
    expect(find(minimal, "ClusterRole")["rules"]).toEqual(rules);
    expect(find(minimal, "ClusterRoleBinding")).toMatchObject({
      roleRef: { kind: "ClusterRole", name: "butler-local-provider" },
      subjects: [{ kind: "ServiceAccount", name: "butler-local-provider", namespace: "butler-system" }],
    });
    expect(podOf(minimal).pod["serviceAccountName"]).toBe("butler-local-provider");
  });

  it("appends the role's arguments to those of every role", () => {
    const { container } = podOf({ ...minimal, args: ["--node-image-repository=registry.example/node"] });
    expect(container.args).toEqual([
      "local-provider",
      "--health-port=8081",
      "--node-image-repository=registry.example/node",
    ]);
    expect(container["image"]).toBe(minimal.image);
  });

  it("never has two active processes: it recreates a single replica, or elects a leader", () => {
    const one = podOf(minimal);
    expect([one.strategy.type, one.container.args.includes("--leader-election")]).toEqual(["Recreate", false]);
    const three = podOf({ ...minimal, replicas: 3 });
    expect([three.strategy.type, three.container.args.includes("--leader-election")]).toEqual(["RollingUpdate", true]);
    expect(three.replicas).toBe(3);
  });

  it("allows candidates to write only the Lease of their own name", () => {
    const objects = roleManifests({ ...minimal, replicas: 2 });
    expect(kindsOf(objects)).toEqual(expect.arrayContaining(["Role", "RoleBinding"]));
    expect(find({ ...minimal, replicas: 2 }, "Role")).toMatchObject({
      metadata: { namespace: "butler-system" },
      rules: [
        { resources: ["leases"], verbs: ["create"] },
        { resources: ["leases"], verbs: ["get", "update"], resourceNames: ["butler-local-provider"] },
      ],
    });
  });

  it("drops all capabilities of the container", () => {
    const { pod, container } = podOf(minimal);
    expect(pod["securityContext"]).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } });
    expect(container["securityContext"]).toEqual({
      allowPrivilegeEscalation: false,
      capabilities: { drop: ["ALL"] },
      readOnlyRootFilesystem: true,
    });
  });

  it.each(["", "Upper", "a/b", "-a", "a-", `a${"b".repeat(60)}`])("rejects the role %j", (role) => {
    expect(() => roleManifests({ ...minimal, role })).toThrow(expect.objectContaining({ code: "INVALID_INPUT" }));
  });

  it.each([-1, 1.5, Number.NaN])("rejects %s replicas", (replicas) => {
    expect(() => roleManifests({ ...minimal, replicas })).toThrow(expect.objectContaining({ code: "INVALID_INPUT" }));
  });

  it.each<PolicyRule>([
    { apiGroups: [""], resources: ["secrets"], verbs: ["*"] },
    { apiGroups: [""], resources: ["*"], verbs: ["get"] },
    { apiGroups: ["*"], resources: ["pods"], verbs: ["get"] },
  ])("rejects a wildcard: %j", (rule) => {
    expect(() => roleManifests({ ...minimal, rules: [rule] })).toThrow("wildcard");
  });

  it("selects exactly its own pods for any role and number of replicas", () => {
    const role = fc.stringMatching(/^[a-z]([-a-z0-9]{0,20}[a-z0-9])$/);
    const isSelected = (selector: Record<string, string>, labels: Record<string, string>): boolean =>
      Object.entries(selector).every(([key, value]) => labels[key] === value);
    fc.assert(
      fc.property(role, role, fc.nat(5), (own, other, replicas) => {
        const mine = podOf({ ...minimal, role: own, replicas });
        const theirs = podOf({ ...minimal, role: other, replicas });
        expect(isSelected(mine.selector.matchLabels, mine.template.metadata.labels)).toBe(true);
        expect(isSelected(mine.selector.matchLabels, theirs.template.metadata.labels)).toBe(own === other);
      }),
    );
  });
});
