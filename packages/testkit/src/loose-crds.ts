import { applyCrds, type KubeClient } from "@butler/kube";
import type { Kind, KubeObject } from "@butler/resource";

/**
 * A CRD that lets objects of a kind be stored without any validation, except for a second version that must not be
 * used.
 */
function looseCrd({ group, version, kind, plural, scope }: Kind): KubeObject {
  const openAPIV3Schema = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  const subresources = { status: {} };
  const rest = { served: true, schema: { openAPIV3Schema }, subresources };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}`, labels: { "cluster.x-k8s.io/v1beta2": version } },
    spec: {
      group,
      scope,
      names: { kind, plural, singular: kind.toLowerCase() },
      versions: [
        { name: version, storage: false, ...rest },
        { name: "v1older", storage: true, ...rest },
      ],
    },
  } as KubeObject;
}

/** Lets objects of other projects' kinds be stored in a test cluster, for tests in which only our code reads them. */
export function installLooseCrds(client: KubeClient, kinds: readonly Kind[]): Promise<void> {
  return applyCrds(client, kinds.map(looseCrd));
}

/** A CRD of another project's kind with as much of its schema as a test needs. */
export function smallCrd({ group, version, kind, plural, scope }: Kind, openAPIV3Schema: object): KubeObject {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}`, annotations: { "api-approved.kubernetes.io": "unapproved, for a test" } },
    spec: {
      group,
      scope,
      names: { kind, plural, singular: kind.toLowerCase() },
      versions: [{ name: version, served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  } as KubeObject;
}
