import type { KubeClient, KubeConfig } from "@butler/kube";
import { keyText } from "@butler/resource";
import { Bug, NotFound } from "@butler/std";
import type { KubeconfigSource, TenantClients } from "@butler/tenant";
import { ownKubeconfig } from "./management-addon/own-kubeconfig.ts";
import type { ClusterAccess } from "./release/release-ports.ts";

/** What leads into clusters. */
export interface ClusterAccessOptions {
  readonly client: KubeClient;
  readonly tenants: Pick<TenantClients, "clientFor">;
  /** Where the kubeconfigs of tenants come from. */
  readonly kubeconfigs: KubeconfigSource;
  /** The configuration of this process; undefined where it is not to be handed on. */
  readonly own: KubeConfig | undefined;
}

/** The way into tenants, by their kubeconfigs, and into the cluster that this process works on. */
export function createClusterAccess({ client, tenants, kubeconfigs, own }: ClusterAccessOptions): ClusterAccess {
  return {
    clientFor: (cluster, signal) =>
      cluster.kind === "tenant" ? tenants.clientFor(cluster.kubeconfig, signal) : Promise.resolve(client),
    targetFor: async (cluster, signal) => {
      if (cluster.kind === "management") {
        if (own === undefined) throw new Bug("the way into the management cluster is not to be handed on");
        return { kubeconfig: await ownKubeconfig(own) };
      }
      const kubeconfig = await kubeconfigs.read(cluster.kubeconfig, signal);
      if (kubeconfig !== undefined) return { kubeconfig };
      throw new NotFound(`there is no kubeconfig in Secret ${keyText(cluster.kubeconfig)}`, {
        hint: "It comes with the control plane of the cluster; look at the TenantCluster.",
      });
    },
  };
}
