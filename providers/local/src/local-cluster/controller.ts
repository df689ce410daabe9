import { LocalCluster, LocalMachine } from "@butler/api";
import {
  Cluster,
  clusterIndexValue,
  clusterNameLabel,
  kubeconfigSecretName,
  labelledClusterName,
} from "@butler/api-external";
import { type CacheReader, defineController, via } from "@butler/controller";
import { builtinKinds, keyOf, type KubeObject, type ObjectKey } from "@butler/resource";
import type { LocalProviderPorts } from "../ports/local-provider-ports.ts";
import { byCluster, clusterNameOf, observe } from "./observe.ts";
import { type LocalClusterEffect, type Observed, plan } from "./plan.ts";

/** Reconciles LocalClusters: reports when the infrastructure of a Cluster is provisioned. */
export const localClusterController = defineController<
  typeof LocalCluster,
  Observed,
  LocalClusterEffect,
  Pick<LocalProviderPorts, "controlPlaneProbe" | "writeToTenant">
>({
  name: "local-cluster",
  primary: LocalCluster,
  watches: [
    via(Cluster, ({ metadata }, read) => localClustersOf(read, metadata.namespace, metadata.name)),
    via(LocalMachine, (machine, read) =>
      localClustersOf(read, machine.metadata.namespace, labelledClusterName(machine)),
    ),
    via(builtinKinds.Secret, ofKubeconfig, { labelSelector: clusterNameLabel }),
  ],
  indexes: [
    {
      kind: LocalCluster,
      name: byCluster,
      of: (object) => clusterIndexValue(object.metadata.namespace, clusterNameOf(object as LocalCluster)),
    },
    {
      kind: LocalMachine,
      name: byCluster,
      of: (object) => clusterIndexValue(object.metadata.namespace, labelledClusterName(object)),
    },
  ],
  finalizer: "localcluster.infrastructure.cluster.x-k8s.io",
  // A pass may wait a second for a control plane that does not respond; others should not be delayed by it.
  concurrency: 8,
  observe,
  plan,
  perform: {
    writeToTenant: (effect, { writeToTenant }, signal) => writeToTenant(effect, signal),
  },
});

function localClustersOf(
  read: CacheReader,
  namespace: string | undefined,
  clusterName: string | undefined,
): ObjectKey[] {
  return clusterIndexValue(namespace, clusterName).flatMap((value) =>
    read.byIndex(LocalCluster, byCluster, value).map(keyOf),
  );
}

function ofKubeconfig(secret: KubeObject, read: CacheReader): ObjectKey[] {
  const clusterName = labelledClusterName(secret) ?? "";
  if (secret.metadata.name !== kubeconfigSecretName(clusterName)) return [];
  return localClustersOf(read, secret.metadata.namespace, clusterName);
}
