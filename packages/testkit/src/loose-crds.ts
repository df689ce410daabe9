import { applyCrds, type KubeClient } from "@butler/kube";
import type { Kind, KubeObject } from "@butler/resource";

/** A CRD that lets objects of a kind be stored without any checks, but for a second version that nobody should use. */
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

/** Lets objects of other projects' kinds be stored in a test cluster, for tests in which nobody reads them but ours. */
export function installLooseCrds(client: KubeClient, kinds: readonly Kind[]): Promise<void> {
  return applyCrds(client, kinds.map(looseCrd));
}
