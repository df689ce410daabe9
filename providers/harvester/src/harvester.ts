import { secretKeys } from "@butler/api";
import { managedByAnnotation } from "@butler/api-external";
import {
  type ClusterInput,
  credentialsSecret,
  firstSet,
  type MachineProvider,
  missingCredentials,
  type PoolInput,
  poolsOf,
  remoteMachineAddons,
  rockyFaults,
  unsupportedSystem,
  withoutRepeats,
} from "@butler/provider";
import { apiVersionOf, type KubeObject } from "@butler/resource";
import { infraKubeconfig, kubeconfigFaults } from "./infra-kubeconfig.ts";
import { KubevirtCluster, KubevirtMachine, KubevirtMachineTemplate } from "./kinds.ts";
import { kubevirtMachineTemplate } from "./machine-template.ts";
import { namespaceOf, settingFaults } from "./settings.ts";

/** The component that announces the endpoint; CAPK would otherwise create a Service for the API server on Harvester. */
const endpointAuthor = "steward";

/** Machines that are virtual machines on Harvester. */
export const harvesterMachines: MachineProvider = {
  type: "harvester",
  operatingSystems: ["rocky"],
  credentialKeys: [secretKeys.kubeconfig],
  clusterKind: KubevirtCluster,
  machineKind: KubevirtMachine,
  machineTemplateKind: KubevirtMachineTemplate,
  podSecurity: "restricted",
  imagesAreReady: false,
  faults,
  clusterObjects,
  machineTemplateSpec: (input, pool) => kubevirtMachineTemplate(input, pool, secretReference(input)),
  // Without the agent Harvester does not know the machine's address, and CAPK waits for it indefinitely.
  bootstrapParts: () => ({
    preKubeadmCommands: ["dnf install --assumeyes qemu-guest-agent", "systemctl start qemu-guest-agent"],
  }),
  controlPlaneAddons: () => remoteMachineAddons,
};

function faults(input: ClusterInput): readonly string[] {
  const { harvester } = input.provider.spec;
  if (harvester === undefined) return [`spec.harvester is not set in ProviderConfig ${input.provider.metadata.name}`];
  const pools = poolsOf(input.cluster);
  const kubeconfig = input.credentials[secretKeys.kubeconfig] ?? "";
  return withoutRepeats([
    ...missingCredentials(input, harvesterMachines),
    ...(kubeconfig === "" ? [] : kubeconfigFaults(kubeconfig, firstSet(harvester.endpoint))),
    ...pools.flatMap((pool) => poolFaults(input, pool)),
    ...rockyFaults(input, pools),
  ]);
}

function poolFaults(input: ClusterInput, pool: PoolInput): string[] {
  const unsupported = unsupportedSystem(harvesterMachines, pool.machine.os.type);
  return [...(unsupported === undefined ? [] : [unsupported]), ...settingFaults(input, pool)];
}

function clusterObjects(input: ClusterInput): readonly KubeObject[] {
  const { cluster, namespace, labels, annotations, credentials, provider } = input;
  const infrastructure = {
    apiVersion: apiVersionOf(KubevirtCluster),
    kind: KubevirtCluster.kind,
    metadata: {
      name: cluster.metadata.name,
      namespace,
      labels: { ...labels },
      annotations: { ...annotations, [managedByAnnotation]: endpointAuthor },
    },
    spec: { infraClusterSecretRef: secretReference(input) },
  };
  const kubeconfig = infraKubeconfig(
    credentials[secretKeys.kubeconfig] ?? "",
    firstSet(provider.spec.harvester?.endpoint),
  );
  const secret = credentialsSecret(input, secretName(input), { kubeconfig, namespace: namespaceOf(input) });
  return [infrastructure, secret];
}

function secretName({ cluster }: ClusterInput): string {
  return `${cluster.metadata.name}-harvester`;
}

/** A copy in the namespace of the cluster's objects: the original may be in a namespace that CAPK must not read. */
function secretReference(input: ClusterInput): Record<string, string> {
  return { apiVersion: "v1", kind: "Secret", namespace: input.namespace, name: secretName(input) };
}
