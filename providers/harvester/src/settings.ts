import {
  type ClusterInput,
  firstSet,
  isDnsLabel,
  isDnsSubdomain,
  isNamespacedName,
  type PoolInput,
} from "@butler/provider";

/** Placement of a pool's machines on Harvester, and their image. */
export interface HarvesterSettings {
  readonly namespace: string;
  /** `namespace/name` of the VM network. */
  readonly network: string;
  /** `namespace/name` of the image. */
  readonly image: string;
  readonly storageClass: string;
}

/** Harvester creates a storage class for each image, which provisions disks as copies of the image. */
const imageClassPrefix = "longhorn-";

/** The effective settings of a pool: the cluster's own, or else the ProviderConfig's. */
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

/** The namespace on Harvester for the machines of all pools. */
export function namespaceOf(input: ClusterInput): string {
  return firstSet(overrideOf(input).namespace, input.provider.spec.harvester?.namespace) ?? "default";
}

/** What is missing or malformed for a pool, each as a sentence. */
export function settingFaults(input: ClusterInput, pool: PoolInput): string[] {
  const { namespace, network, image, storageClass } = harvesterSettings(input, pool);
  if (imageOf(input, pool) === undefined) return [...placeFaults({ namespace, network }), missingImage(input, pool)];
  const imageFaults = isNamespacedName(image)
    ? []
    : [`image ${JSON.stringify(image)} of pool ${pool.name} is not the namespace/name of a Harvester image`];
  const classFaults = isDnsSubdomain(storageClass)
    ? []
    : [`storageClassName ${JSON.stringify(storageClass)} is not a valid storage class name`];
  return [...placeFaults({ namespace, network }), ...imageFaults, ...classFaults];
}

function placeFaults({ namespace, network }: Pick<HarvesterSettings, "namespace" | "network">): string[] {
  return [
    ...(isDnsLabel(namespace) ? [] : [`${JSON.stringify(namespace)} is not a valid Harvester namespace name`]),
    ...(isNamespacedName(network)
      ? []
      : [
          `VM network ${JSON.stringify(network)} is not the namespace/name of a Harvester network, such as default/vlan40`,
        ]),
  ];
}

function missingImage({ provider }: ClusterInput, pool: PoolInput): string {
  const where = `spec.harvester.imageName of ProviderConfig ${provider.metadata.name}`;
  return `no image is set for pool ${pool.name}; set ${where} or os.imageRef of the pool to the namespace/name of an image`;
}

function imageOf(input: ClusterInput, { machine }: PoolInput): string | undefined {
  return firstSet(overrideOf(input).imageName, machine.os.imageRef, input.provider.spec.harvester?.imageName);
}

function overrideOf({ cluster }: ClusterInput) {
  return cluster.spec.infrastructureOverride?.harvester ?? {};
}
