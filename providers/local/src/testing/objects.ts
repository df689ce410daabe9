import { LocalCluster, LocalMachine } from "@butler/api";
import { Cluster, clusterNameLabel, type ContainerStatus, Machine, type Pod } from "@butler/api-external";
import { apiVersionOf, type ObjectMeta } from "@butler/resource";
import { buildMachinePod, nodeContainer } from "../local-machine/manifests.ts";

const namespace = "default";
const labels = { [clusterNameLabel]: "blue" };

const owner = (kind: typeof Machine | typeof Cluster, name: string) => ({
  apiVersion: apiVersionOf(kind),
  kind: kind.kind,
  name,
  uid: `uid-of-${name}`,
  controller: true,
});

/** A LocalMachine as created by Cluster API for Machine `blue-1` of Cluster `blue`. */
export function aLocalMachine({
  spec = {},
  status,
  ...metadata
}: Partial<ObjectMeta> & { spec?: Partial<LocalMachine["spec"]>; status?: LocalMachine["status"] } = {}): LocalMachine {
  return {
    apiVersion: LocalMachine.apiVersion,
    kind: LocalMachine.kind,
    metadata: {
      name: "blue-1",
      namespace,
      uid: "uid-of-local-machine",
      labels,
      ownerReferences: [owner(Machine, "blue-1")],
      ...metadata,
    },
    spec: { cpu: "2", memory: "2Gi", ...spec },
    ...(status === undefined ? {} : { status }),
  };
}

/** A LocalCluster that belongs to Cluster `blue`. */
export function aLocalCluster({
  spec = {},
  status,
  ...metadata
}: Partial<ObjectMeta> & { spec?: Partial<LocalCluster["spec"]>; status?: LocalCluster["status"] } = {}): LocalCluster {
  return {
    apiVersion: LocalCluster.apiVersion,
    kind: LocalCluster.kind,
    metadata: { name: "blue", namespace, labels, ownerReferences: [owner(Cluster, "blue")], ...metadata },
    spec: { podNetwork: "Butler", ...spec },
    ...(status === undefined ? {} : { status }),
  };
}

/** Cluster `blue`, whose infrastructure is a LocalCluster. */
export function aCluster({ spec = {}, ...metadata }: Partial<ObjectMeta> & { spec?: Cluster["spec"] } = {}): Cluster {
  return {
    apiVersion: apiVersionOf(Cluster),
    kind: Cluster.kind,
    metadata: { name: "blue", namespace, ...metadata },
    spec: { infrastructureRef: { apiGroup: LocalCluster.group, kind: LocalCluster.kind, name: "blue" }, ...spec },
  };
}

/** Machine `blue-1`, whose infrastructure is a LocalMachine. */
export function aMachine({
  spec = {},
  ...metadata
}: Partial<ObjectMeta> & { spec?: Partial<Machine["spec"]> } = {}): Machine {
  return {
    apiVersion: apiVersionOf(Machine),
    kind: Machine.kind,
    metadata: { name: "blue-1", namespace, labels, ...metadata },
    spec: {
      clusterName: "blue",
      version: "v1.36.3",
      bootstrap: { dataSecretName: "blue-1" },
      infrastructureRef: { apiGroup: LocalMachine.group, kind: LocalMachine.kind, name: "blue-1" },
      ...spec,
    },
  };
}

/** The pod of a machine, with a status. */
export function aPod(status: Pod["status"] = {}, metadata: Partial<ObjectMeta> = {}): Pod {
  const localMachine = aLocalMachine();
  const pod = buildMachinePod({ localMachine, clusterName: "blue", image: "butler-node:v1.36.3", hostname: "blue-1" });
  const reference = { ...owner(Machine, "blue-1"), apiVersion: LocalMachine.apiVersion, kind: LocalMachine.kind };
  const ownerReferences = [{ ...reference, uid: localMachine.metadata.uid ?? "" }];
  return { ...pod, metadata: { ...pod.metadata, uid: "uid-of-pod", ownerReferences, ...metadata }, status };
}

/** The status of the only container of a machine's pod. */
export function aContainer(change: Partial<ContainerStatus> = {}): ContainerStatus {
  return { name: nodeContainer, ready: false, restartCount: 0, image: "", imageID: "", ...change };
}

/** The status of a running pod with an address. */
export function runningPodStatus(container: Partial<ContainerStatus> = {}): NonNullable<Pod["status"]> {
  const containerStatuses = [aContainer({ state: { running: {} }, ...container })];
  return { phase: "Running", podIP: "10.244.0.7", podIPs: [{ ip: "10.244.0.7" }], containerStatuses };
}
