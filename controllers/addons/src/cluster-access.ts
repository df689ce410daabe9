import type { KubeClient, KubeConfig } from "@butler/kube";
import { keyText } from "@butler/resource";
import { Bug, NotFound } from "@butler/std";
import type { KubeconfigSource, TenantClients } from "@butler/tenant-clients";
import { ownKubeconfig } from "./management-addon/own-kubeconfig.ts";
import type { ClusterAccess } from "./release/release-ports.ts";

/** How clusters are accessed. */
export interface ClusterAccessOptions {
  readonly client: KubeClient;
  readonly tenants: Pick<TenantClients, "clientFor">;
  /** Where the kubeconfigs of tenants come from. */
  readonly kubeconfigs: KubeconfigSource;
  /** The configuration of this process; undefined when it must not be passed on. */
  readonly own: KubeConfig | undefined;
}

/** Access to tenants, with their kubeconfigs, and to the cluster of this process. */
export function createClusterAccess({ client, tenants, kubeconfigs, own }: ClusterAccessOptions): ClusterAccess {
  return {
    clientFor: (cluster, signal) =>
      cluster.kind === "tenant" ? tenants.clientFor(cluster.kubeconfig, signal) : Promise.resolve(client),
    targetFor: async (cluster, signal) => {
      if (cluster.kind === "management") {
        if (own === undefined) throw new Bug("no kubeconfig is configured for the management cluster");
        return { kubeconfig: await ownKubeconfig(own) };
      }
      const kubeconfig = await kubeconfigs.read(cluster.kubeconfig, signal);
      if (kubeconfig !== undefined) return { kubeconfig };
      throw new NotFound(`no kubeconfig found in Secret ${keyText(cluster.kubeconfig)}`, {
        hint: "The Secret is created together with the control plane; check the conditions of the TenantCluster.",
      });
    },
  };
}
