import { type ClusterInput, firstSet, isUuid, type PoolInput } from "@butler/provider";

/** CAPX's reference to a Nutanix entity. */
export type Identifier =
  { readonly type: "uuid"; readonly uuid: string } | { readonly type: "name"; readonly name: string };

/** Placement of a pool's machines on Nutanix, and their image. */
export interface NutanixSettings {
  readonly cluster: Identifier;
  readonly subnet: Identifier;
  readonly image: Identifier;
  /** Storage container for the data of machines; undefined keeps it where the image is. */
  readonly storageContainer: Identifier | undefined;
}

/** The effective settings of a pool: the cluster's own, or else the ProviderConfig's. */
export function nutanixSettings(input: ClusterInput, pool: PoolInput): NutanixSettings {
  const texts = settingTexts(input, pool);
  const { storageContainer } = texts;
  return {
    cluster: identifier(texts.cluster ?? ""),
    subnet: identifier(texts.subnet ?? ""),
    image: identifier(texts.image ?? ""),
    storageContainer: storageContainer === undefined ? undefined : identifier(storageContainer),
  };
}

/** What is missing or malformed for a pool, each as a sentence. */
export function settingFaults(input: ClusterInput, pool: PoolInput): string[] {
  const { cluster, subnet, image, storageContainer } = settingTexts(input, pool);
  return [
    ...uuidFault("clusterUUID", cluster ?? ""),
    ...(isNamedSubnet(input) ? nameFault("network.subnet", subnet ?? "") : uuidFault("subnetUUID", subnet ?? "")),
    ...imageFault(input, pool, image),
    ...(storageContainer === undefined ? [] : uuidFault("storageContainerUUID", storageContainer)),
  ];
}

type SettingTexts = Partial<Record<keyof NutanixSettings, string | undefined>>;

function settingTexts(input: ClusterInput, { machine }: PoolInput): SettingTexts {
  const { nutanix, network } = input.provider.spec;
  const override = overrideOf(input);
  return {
    cluster: firstSet(override.clusterUUID, nutanix?.clusterUUID),
    subnet: firstSet(override.subnetUUID, network?.subnet, nutanix?.subnetUUID),
    image: firstSet(override.imageUUID, machine.os.imageRef, nutanix?.imageUUID),
    storageContainer: firstSet(override.storageContainerUUID, nutanix?.storageContainerUUID),
  };
}

/** Names are accepted in fields that do not require a UUID. */
function isNamedSubnet(input: ClusterInput): boolean {
  const named = firstSet(input.provider.spec.network?.subnet);
  return firstSet(overrideOf(input).subnetUUID) === undefined && named !== undefined && !isUuid(named);
}

function imageFault(input: ClusterInput, pool: PoolInput, image: string | undefined): string[] {
  if (image === undefined) {
    const where = `spec.nutanix.imageUUID of ProviderConfig ${input.provider.metadata.name}`;
    return [`no image is set for pool ${pool.name}; set ${where} or os.imageRef of the pool`];
  }
  const isByReference = firstSet(overrideOf(input).imageUUID) === undefined && image === pool.machine.os.imageRef;
  return isByReference ? nameFault("os.imageRef", image) : uuidFault("imageUUID", image);
}

function uuidFault(field: string, text: string): string[] {
  return isUuid(text) ? [] : [`${field} ${JSON.stringify(text)} is not a UUID`];
}

function nameFault(field: string, text: string): string[] {
  const longestName = 256;
  const isName = text.trim() !== "" && text.length <= longestName && !/\p{Cc}/u.test(text);
  return isName ? [] : [`${field} ${JSON.stringify(text)} is neither a UUID nor a valid Nutanix name`];
}

function identifier(text: string): Identifier {
  return isUuid(text) ? { type: "uuid", uuid: text.toLowerCase() } : { type: "name", name: text };
}

function overrideOf({ cluster }: ClusterInput) {
  return cluster.spec.infrastructureOverride?.nutanix ?? {};
}
