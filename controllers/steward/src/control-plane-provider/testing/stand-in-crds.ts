import { Cluster } from "@butler/api-external";
import { applyCrds, type KubeClient } from "@butler/kube";
import type { Kind, KubeObject } from "@butler/resource";

const infrastructure = (kind: string, version: string): Kind => ({
  group: "infrastructure.cluster.x-k8s.io",
  version,
  kind,
  plural: `${kind.toLowerCase()}s`,
  scope: "Namespaced",
});

/** Infrastructure whose provider waits for an endpoint. */
export const ProxmoxCluster = infrastructure("ProxmoxCluster", "v1alpha2");

/** Infrastructure that its provider leaves to others on request. */
export const KubevirtCluster = infrastructure("KubevirtCluster", "v1alpha1");

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

/** Installs stand-ins for the CRDs of Cluster API and of two infrastructure providers. */
export function installStandInCrds(client: KubeClient): Promise<void> {
  return applyCrds(client, [Cluster, ProxmoxCluster, KubevirtCluster].map(looseCrd));
}
