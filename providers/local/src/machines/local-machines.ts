import { LocalCluster, LocalMachine, LocalMachineTemplate } from "@butler/api";
import type { ClusterInput, MachineProvider, PoolInput } from "@butler/provider";

/** The version that Butler bundles for sites without a registry. */
const coreDnsTag = "v1.15.0";

/** Machines that are pods share their host's CPUs: this much of each core is reserved. */
const reservedMillisPerCore = 100;

/** Machines that are pods of the management cluster: for laptops, tests and trusted tenants. */
export const localMachines: MachineProvider = {
  type: "local",
  // The machines run Butler's own image; the default is accepted so that it need not be set.
  operatingSystems: ["rocky"],
  credentialKeys: [],
  clusterKind: LocalCluster,
  machineKind: LocalMachine,
  machineTemplateKind: LocalMachineTemplate,
  podSecurity: "privileged",
  imagesAreReady: true,
  faults: () => [],
  clusterObjects: ({ cluster, namespace, labels, annotations }) => [
    {
      apiVersion: LocalCluster.apiVersion,
      kind: LocalCluster.kind,
      metadata: { name: cluster.metadata.name, namespace, labels: { ...labels }, annotations: { ...annotations } },
      spec: { podNetwork: "Butler" },
    },
  ],
  machineTemplateSpec,
  bootstrapParts: () => ({
    nodeRegistration: {
      name: "{{ ds.meta_data.local_hostname }}",
      criSocket: "unix:///run/containerd/containerd.sock",
      // Required on hosts with cgroup v1.
      ignorePreflightErrors: ["SystemVerification"],
    },
  }),
  controlPlaneAddons: () => ({
    coreDNS: { imageTag: coreDnsTag },
    // Machines that are pods may not change the limit of their host.
    kubeProxy: { conntrackMaxPerCore: 0 },
  }),
};

function machineTemplateSpec({ provider }: ClusterInput, { machine }: PoolInput): Record<string, unknown> {
  const { cpu, memory, os } = machine;
  const image = os.imageRef ?? provider.spec.local?.kindNodeImage;
  return {
    template: {
      spec: {
        cpu: String(cpu),
        reservedCpu: `${cpu * reservedMillisPerCore}m`,
        memory: String(memory),
        ...(image === undefined || image === "" ? {} : { image }),
      },
    },
  };
}
