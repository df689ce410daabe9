import { Cluster, Machine } from "@butler/api-external";
import { applyCrds, type KubeClient } from "@butler/kube";
import type { Kind, KubeObject } from "@butler/resource";

/** CRDs that store Cluster API's kinds without validation. */
function looseCrd({ group, version, kind, plural, scope }: Kind): KubeObject {
  const openAPIV3Schema = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope,
      names: { kind, plural, singular: kind.toLowerCase() },
      versions: [{ name: version, served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  } as KubeObject;
}

/** Installs stand-ins for the CRDs of Cluster and Machine. */
export function installClusterApiCrds(client: KubeClient): Promise<void> {
  return applyCrds(client, [Cluster, Machine].map(looseCrd));
}
