import { firstSet, isDnsLabel, isDnsSubdomain, isNamespacedName } from "../accepted-text.ts";
import type { ClusterInput, PoolInput } from "../machine-provider.ts";

/** Where on Harvester the machines of a pool go, and what they start from. */
export interface HarvesterSettings {
  readonly namespace: string;
  /** `namespace/name` of the VM network. */
  readonly network: string;
  /** `namespace/name` of the image. */
  readonly image: string;
  readonly storageClass: string;
}

/** Harvester gives each image a storage class, by which the disks of machines begin as copies of the image. */
const imageClassPrefix = "longhorn-";

/** What is in force for a pool: of each setting the cluster's own, and else the ProviderConfig's. */
export function harvesterSettings(input: ClusterInput, pool: PoolInput): HarvesterSettings {
  const { harvester, network } = input.provider.spec;
  const image = imageOf(input, pool) ?? "";
  const override = overrideOf(input);
  return {
    namespace: namespaceOf(input),
    network: firstSet(override.networkName, network?.subnet, harvester?.networkName) ?? "",
    image,
    storageClass: firstSet(harvester?.storageClassName) ?? `${imageClassPrefix}${image.slice(image.indexOf("/") + 1)}`,
  };
}

/** The namespace on Harvester that the machines of all pools are made in. */
export function namespaceOf(input: ClusterInput): string {
  return firstSet(overrideOf(input).namespace, input.provider.spec.harvester?.namespace) ?? "default";
}

/** What is missing or malformed for a pool, each as a sentence. */
export function settingFaults(input: ClusterInput, pool: PoolInput): string[] {
  const { namespace, network, image, storageClass } = harvesterSettings(input, pool);
  if (imageOf(input, pool) === undefined) return [...placeFaults({ namespace, network }), missingImage(input, pool)];
  const imageFaults = isNamespacedName(image)
    ? []
    : [`image ${JSON.stringify(image)} of pool ${pool.name} is not namespace/name of an image of Harvester`];
  const classFaults = isDnsSubdomain(storageClass)
    ? []
    : [`storageClassName ${JSON.stringify(storageClass)} is not the name of a storage class`];
  return [...placeFaults({ namespace, network }), ...imageFaults, ...classFaults];
}

function placeFaults({ namespace, network }: Pick<HarvesterSettings, "namespace" | "network">): string[] {
  return [
    ...(isDnsLabel(namespace) ? [] : [`${JSON.stringify(namespace)} is not the name of a namespace on Harvester`]),
    ...(isNamespacedName(network)
      ? []
      : [
          `VM network ${JSON.stringify(network)} is not namespace/name of a network of Harvester, such as default/vlan40`,
        ]),
  ];
}

function missingImage({ provider }: ClusterInput, pool: PoolInput): string {
  const where = `spec.harvester.imageName of ProviderConfig ${provider.metadata.name}`;
  return `no image is named for pool ${pool.name}; set ${where}, or os.imageRef of the pool, to namespace/name of an image`;
}

function imageOf(input: ClusterInput, { machine }: PoolInput): string | undefined {
  return firstSet(overrideOf(input).imageName, machine.os.imageRef, input.provider.spec.harvester?.imageName);
}

function overrideOf({ cluster }: ClusterInput) {
  return cluster.spec.infrastructureOverride?.harvester ?? {};
}
