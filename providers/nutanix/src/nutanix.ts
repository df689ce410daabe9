import { secretKeys } from "@butler/api";
import {
  type ClusterInput,
  credentialsSecret,
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
import { nutanixBootstrap } from "./bootstrap.ts";
import { NutanixCluster, NutanixMachine, NutanixMachineTemplate } from "./kinds.ts";
import { dataDiskFaults, nutanixMachineTemplate, smallestNutanixMachine } from "./machine-template.ts";
import { prismAddress, prismFaults, trustBundle } from "./prism-central.ts";
import { settingFaults } from "./settings.ts";

/** Machines that are virtual machines on Nutanix. */
export const nutanixMachines: MachineProvider = {
  type: "nutanix",
  operatingSystems: ["rocky"],
  credentialKeys: [secretKeys.username, secretKeys.password],
  clusterKind: NutanixCluster,
  machineKind: NutanixMachine,
  machineTemplateKind: NutanixMachineTemplate,
  podSecurity: "restricted",
  imagesAreReady: false,
  faults,
  clusterObjects: (input) => [nutanixCluster(input), nutanixCredentials(input)],
  machineTemplateSpec: nutanixMachineTemplate,
  bootstrapParts: nutanixBootstrap,
  controlPlaneAddons: () => remoteMachineAddons,
};

function faults(input: ClusterInput): readonly string[] {
  if (input.provider.spec.nutanix === undefined) {
    return [`spec.nutanix is not set in ProviderConfig ${input.provider.metadata.name}`];
  }
  const pools = poolsOf(input.cluster);
  return withoutRepeats([
    ...missingCredentials(input, nutanixMachines),
    ...prismFaults(input),
    ...pools.flatMap((pool) => poolFaults(input, pool)),
    ...rockyFaults(input, pools, smallestNutanixMachine),
  ]);
}

function poolFaults(input: ClusterInput, pool: PoolInput): string[] {
  const unsupported = unsupportedSystem(nutanixMachines, pool.machine.os.type);
  return [
    ...(unsupported === undefined ? [] : [unsupported]),
    ...settingFaults(input, pool),
    ...dataDiskFaults(input, pool),
  ];
}

/** Without a control plane endpoint: Steward sets it. */
function nutanixCluster(input: ClusterInput): KubeObject {
  const { cluster, namespace, labels, annotations, provider } = input;
  const data = trustBundle(input);
  return {
    apiVersion: apiVersionOf(NutanixCluster),
    kind: NutanixCluster.kind,
    metadata: { name: cluster.metadata.name, namespace, labels: { ...labels }, annotations: { ...annotations } },
    spec: {
      prismCentral: {
        ...prismAddress(input),
        insecure: provider.spec.nutanix?.insecure ?? false,
        credentialRef: { kind: "Secret", name: secretName(input), namespace },
        ...(data === undefined ? {} : { additionalTrustBundle: { kind: "String", data } }),
      },
    },
  } as KubeObject;
}

function nutanixCredentials(input: ClusterInput): KubeObject {
  const { [secretKeys.username]: username, [secretKeys.password]: password } = input.credentials;
  const credentials = JSON.stringify([{ type: "basic_auth", data: { prismCentral: { username, password } } }]);
  return credentialsSecret(input, secretName(input), { credentials });
}

function secretName({ cluster }: ClusterInput): string {
  return `${cluster.metadata.name}-nutanix-creds`;
}
