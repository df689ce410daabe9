import { type LocalCluster, LocalMachine } from "@butler/api";
import {
  Cluster,
  clusterIndexValue,
  kubeconfigSecretName,
  labelledClusterName,
  managedByAnnotation,
  ownerName,
} from "@butler/api-external";
import type { ObserveContext } from "@butler/controller";
import { builtinKinds, isBeingDeleted } from "@butler/resource";
import type { LocalProviderPorts } from "../ports/local-provider-ports.ts";
import { endpointToAsk, type Observed } from "./plan.ts";

type Ports = Pick<LocalProviderPorts, "controlPlaneProbe">;

/** Index of LocalMachines and LocalClusters by the name of their Cluster. */
export const byCluster = "cluster";

/** The name of the Cluster that a LocalCluster belongs to. */
export function clusterNameOf(localCluster: LocalCluster): string | undefined {
  return ownerName(localCluster, Cluster) ?? labelledClusterName(localCluster);
}

/** Reads what the plan needs. An externally managed infrastructure is ignored. */
export async function observe({
  primary,
  read,
  ports,
  signal,
}: ObserveContext<typeof LocalCluster, Ports>): Promise<Observed | undefined> {
  const { namespace, annotations } = primary.metadata;
  if (annotations?.[managedByAnnotation] !== undefined && !isBeingDeleted(primary)) return undefined;
  const owner = ownerName(primary, Cluster);
  const cluster = owner && (read.get(Cluster, { name: owner, namespace }) as Cluster | undefined);
  const [indexValue] = clusterIndexValue(namespace, clusterNameOf(primary));
  const machines = indexValue === undefined ? [] : read.byIndex(LocalMachine, byCluster, indexValue);
  const seen = {
    localCluster: primary,
    cluster: cluster || undefined,
    hasKubeconfig:
      owner !== undefined &&
      read.get(builtinKinds.Secret, { name: kubeconfigSecretName(owner), namespace }) !== undefined,
    machines: machines.map(({ metadata }) => metadata.name).sort(),
  };
  const endpoint = endpointToAsk(seen);
  return { ...seen, answer: endpoint && (await ports.controlPlaneProbe(endpoint, signal)) };
}
