import { engineImageNames } from "@butler/engine";

/** The version of Kubernetes that the engine's own programs have. */
export const tenantVersion = engineImageNames()["kube-apiserver"].split(":").at(-1) ?? "";

/** A Cluster, the address of its API server, and its number of workers. */
export interface ClusterFacts {
  readonly name: string;
  readonly namespace: string;
  readonly host: string;
  readonly port: number;
  readonly replicas: number;
}

const groups = {
  core: "cluster.x-k8s.io",
  controlPlane: "controlplane.cluster.x-k8s.io",
  infrastructure: "infrastructure.cluster.x-k8s.io",
  bootstrap: "bootstrap.cluster.x-k8s.io",
};

/** A Cluster with an existing control plane whose workers are pods. */
export function clusterObjects({ name, namespace, host, port, replicas }: ClusterFacts) {
  const metadata = { name, namespace };
  const cluster = [
    {
      apiVersion: `${groups.core}/v1beta2`,
      kind: "Cluster",
      metadata,
      spec: {
        controlPlaneEndpoint: { host, port },
        clusterNetwork: { pods: { cidrBlocks: ["10.245.0.0/16"] }, services: { cidrBlocks: ["10.97.0.0/16"] } },
        infrastructureRef: { apiGroup: groups.infrastructure, kind: "LocalCluster", name },
        controlPlaneRef: { apiGroup: groups.controlPlane, kind: "StewardControlPlane", name },
      },
    },
    { apiVersion: `${groups.infrastructure}/v1alpha1`, kind: "LocalCluster", metadata, spec: {} },
    {
      apiVersion: `${groups.controlPlane}/v1alpha1`,
      kind: "StewardControlPlane",
      metadata,
      spec: { version: tenantVersion, controlPlaneEndpoint: { host, port } },
    },
  ];
  const controlPlaneStatus = {
    initialization: { controlPlaneInitialized: true },
    version: tenantVersion,
    externalManagedControlPlane: true,
  };
  return { cluster, controlPlaneStatus, workers: workerObjects(metadata, replicas) };
}

function workerObjects({ name, namespace }: { name: string; namespace: string }, replicas: number): object[] {
  const metadata = { name: `${name}-workers`, namespace };
  return [
    {
      apiVersion: `${groups.infrastructure}/v1alpha1`,
      kind: "LocalMachineTemplate",
      metadata,
      spec: { template: { spec: { cpu: "200m", memory: "1Gi" } } },
    },
    {
      apiVersion: `${groups.bootstrap}/v1beta2`,
      kind: "KubeadmConfigTemplate",
      metadata,
      spec: {
        template: {
          spec: {
            joinConfiguration: {
              nodeRegistration: {
                name: "{{ ds.meta_data.local_hostname }}",
                criSocket: "unix:///run/containerd/containerd.sock",
                ignorePreflightErrors: ["SystemVerification"],
              },
            },
          },
        },
      },
    },
    {
      apiVersion: `${groups.core}/v1beta2`,
      kind: "MachineDeployment",
      metadata,
      spec: {
        clusterName: name,
        replicas,
        selector: { matchLabels: {} },
        template: {
          spec: {
            clusterName: name,
            version: tenantVersion,
            bootstrap: {
              configRef: { apiGroup: groups.bootstrap, kind: "KubeadmConfigTemplate", name: metadata.name },
            },
            infrastructureRef: {
              apiGroup: groups.infrastructure,
              kind: "LocalMachineTemplate",
              name: metadata.name,
            },
          },
        },
      },
    },
  ];
}

/**
 * A pod that returns the client address to each connection. It uses the programs of the node, so that it needs no image but
 * the one that every node has.
 */
export function talkativePod(name: string, nodeName: string): object {
  return nodeProgramPod(name, nodeName, {
    command: ["/usr/bin/socat", "TCP-LISTEN:8080,fork,reuseaddr", `SYSTEM:echo ${name} hears $SOCAT_PEERADDR`],
    securityContext: { runAsUser: 0 },
    readinessProbe: { tcpSocket: { port: 8080 }, periodSeconds: 1 },
  });
}

/** A privileged pod in which a test runs the programs of the node. */
export function privilegedPod(name: string, nodeName: string): object {
  return nodeProgramPod(name, nodeName, {
    command: ["/usr/bin/sleep", "3600"],
    securityContext: { runAsUser: 0, privileged: true },
  });
}

function nodeProgramPod(name: string, nodeName: string, container: object): object {
  const folders = ["/usr", "/bin", "/lib", "/lib64"];
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, labels: { name } },
    spec: {
      nodeName,
      terminationGracePeriodSeconds: 1,
      containers: [
        {
          name: "program",
          image: engineImageNames().pause,
          ...container,
          volumeMounts: folders.map((path) => ({ name: path.slice(1), mountPath: path, readOnly: true })),
        },
      ],
      volumes: folders.map((path) => ({ name: path.slice(1), hostPath: { path } })),
    },
  };
}
