import { buildCrd } from "@butler/resource";
import { StewardControlPlane, StewardControlPlaneTemplate } from "@butler/api";
import { describe, expect, it } from "vitest";
import { type ClusterRole, clusterApiAccess } from "./cluster-api-access.ts";

describe("the access of Cluster API's own controllers", () => {
  const roles = clusterApiAccess.filter(({ kind }) => kind === "ClusterRole") as ClusterRole[];

  it("is aggregated to the core by its label, and covers only our own kinds", () => {
    const [manager] = roles;
    expect(manager?.metadata.labels?.["cluster.x-k8s.io/aggregate-to-manager"]).toBe("true");
    for (const rule of roles.flatMap(({ rules }) => rules)) {
      expect(rule.apiGroups).toEqual(["controlplane.cluster.x-k8s.io"]);
      expect([...rule.resources, ...rule.verbs].join()).not.toContain("*");
    }
  });

  it("is granted to the bootstrap provider's account, read-only", () => {
    expect(clusterApiAccess.at(-1)).toMatchObject({
      kind: "ClusterRoleBinding",
      roleRef: { kind: "ClusterRole", name: "steward-control-plane-reader" },
      subjects: [
        {
          kind: "ServiceAccount",
          namespace: "capi-kubeadm-bootstrap-system",
          name: "capi-kubeadm-bootstrap-manager",
        },
      ],
    });
    expect(roles[1]?.rules.flatMap(({ verbs }) => verbs)).toEqual(["get", "list", "watch"]);
  });
});

describe("the CRDs of the provider", () => {
  it.each([StewardControlPlane, StewardControlPlaneTemplate])("declare the contracts of %s", (resource) => {
    const { metadata, spec } = buildCrd(resource);
    expect(metadata.name).toBe(`${spec.names.plural}.${spec.group}`);
    expect(metadata.labels).toEqual({ "cluster.x-k8s.io/v1beta1": "v1alpha1", "cluster.x-k8s.io/v1beta2": "v1alpha1" });
    expect(spec.names.listKind).toBe(`${spec.names.kind}List`);
  });

  it("have a scale subresource", () => {
    expect(buildCrd(StewardControlPlane).spec.versions[0]?.subresources).toEqual({
      status: {},
      scale: {
        specReplicasPath: ".spec.replicas",
        statusReplicasPath: ".status.replicas",
        labelSelectorPath: ".status.selector",
      },
    });
  });
});
