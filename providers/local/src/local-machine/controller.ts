import { ButlerConfig, LocalMachine } from "@butler/api";
import { Cluster, clusterIndexValue, clusterNameLabel, labelledClusterName, Machine, Pod } from "@butler/api-external";
import { type CacheReader, defineController, via } from "@butler/controller";
import { builtinKinds, keyOf, keyText, type KubeObject, type ObjectKey } from "@butler/resource";
import { byCluster } from "../local-cluster/observe.ts";
import type { LocalProviderPorts } from "../ports/local-provider-ports.ts";
import { observe } from "./observe.ts";
import { type LocalMachineEffect, type Observed, plan } from "./plan.ts";

/** Everything of a Cluster has its label; other Secrets and pods need not be cached. */
const ofClusters = { labelSelector: clusterNameLabel };

const byDataSecret = "bootstrap-data";

/** Reconciles LocalMachines: machines that run as pods. */
export const localMachineController = defineController<
  typeof LocalMachine,
  Observed,
  LocalMachineEffect,
  Pick<LocalProviderPorts, "setProviderID" | "nodeImages">
>({
  name: "local-machine",
  primary: LocalMachine,
  owns: [
    { kind: builtinKinds.Secret, scope: ofClusters },
    { kind: Pod, scope: ofClusters },
  ],
  watches: [
    via(Machine, (machine) => localMachineOf(machine)),
    via(Cluster, ({ metadata }, read) =>
      clusterIndexValue(metadata.namespace, metadata.name).flatMap((value) =>
        read.byIndex(LocalMachine, byCluster, value).map(keyOf),
      ),
    ),
    // Machines whose image was not allowed may be created after a change.
    via(ButlerConfig, (_config, read) =>
      read
        .list(LocalMachine)
        .filter(({ spec }) => spec.image !== undefined)
        .map(keyOf),
    ),
    via(
      builtinKinds.Secret,
      (secret, read: CacheReader) =>
        read.byIndex(Machine, byDataSecret, keyText(keyOf(secret))).flatMap(localMachineOf),
      ofClusters,
    ),
  ],
  indexes: [
    {
      kind: LocalMachine,
      name: byCluster,
      of: (object) => clusterIndexValue(object.metadata.namespace, labelledClusterName(object)),
    },
    { kind: Machine, name: byDataSecret, of: dataSecretOf },
  ],
  finalizer: "localmachine.infrastructure.cluster.x-k8s.io",
  observe,
  plan,
  perform: {
    setProviderID: (effect, { setProviderID }, signal) => setProviderID(effect, signal),
  },
});

function localMachineOf(object: KubeObject): ObjectKey[] {
  const { metadata, spec } = object as Machine;
  const { kind, apiGroup, name } = spec.infrastructureRef;
  const isOurs = kind === LocalMachine.kind && apiGroup === LocalMachine.group;
  return isOurs ? [{ name, namespace: metadata.namespace }] : [];
}

function dataSecretOf(object: KubeObject): string[] {
  const { metadata, spec } = object as Machine;
  const name = spec.bootstrap.dataSecretName ?? spec.bootstrap.configRef?.name;
  return name === undefined ? [] : [keyText({ name, namespace: metadata.namespace })];
}
