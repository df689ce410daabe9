import { Cluster } from "@butler/api-external";
import type { KubeClient } from "@butler/kube";
import type { Kind } from "@butler/resource";
import { installLooseCrds } from "@butler/testkit";

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

/** Installs stand-ins for the CRDs of Cluster API and of two infrastructure providers. */
export function installStandInCrds(client: KubeClient): Promise<void> {
  return installLooseCrds(client, [Cluster, ProxmoxCluster, KubevirtCluster]);
}
