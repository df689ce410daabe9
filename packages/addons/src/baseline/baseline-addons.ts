import type { AddonDefinition, ButlerConfig, ProviderType, TenantCluster } from "@butler/api";
import { type AddonSlot, slotOf, slotProducts } from "../slots.ts";
import { variationFor } from "../wanted-release.ts";
import { type NotedDefault, notedDefaults } from "./noted-defaults.ts";
import { everythingBelow, inOrder } from "./order.ts";

/** Input for the add-ons of a cluster. */
export interface BaselineInput {
  readonly cluster: TenantCluster;
  /** The infrastructure of the machines; undefined while unknown. */
  readonly providerType: ProviderType | undefined;
  readonly config: ButlerConfig | undefined;
  /** The catalog. */
  readonly definitions: readonly AddonDefinition[];
}

/** An add-on that a cluster is created with. */
export interface BaselineAddon {
  /** Name of the AddonDefinition. */
  readonly name: string;
  /** Undefined when it is not in the catalog. */
  readonly definition: AddonDefinition | undefined;
  /** The place in the cluster's spec; undefined for a preset of the team that has none. */
  readonly slot: AddonSlot | undefined;
  /** Version for a new installation; undefined when neither cluster nor platform nor catalog sets one. */
  readonly version: string | undefined;
  /** Version in the cluster's spec, which also applies to an existing installation. */
  readonly slotVersion: string | undefined;
  /** Whether the cluster gets it without an explicit request. */
  readonly isImplied: boolean;
  /** The reason, as a sentence without a full stop. */
  readonly reason: string;
  /** AddonDefinitions of the cluster's other add-ons that are installed first. */
  readonly dependsOn: readonly string[];
}

const onPremises = ["cni", "loadBalancer", "storage", "certManager", "ingress"] as const;
const cloud = ["cni", "storage", "certManager"] as const;

/**
 * The default add-ons. Clouds provide load balancers themselves; machines that are pods already include network, DNS,
 * proxy and load balancer addresses.
 */
const impliedSlots: Readonly<Record<ProviderType, readonly AddonSlot[]>> = {
  harvester: onPremises,
  nutanix: onPremises,
  proxmox: onPremises,
  aws: cloud,
  gcp: cloud,
  azure: cloud,
  local: [],
};

/** The order of add-ons without dependencies between them. */
const slots: readonly AddonSlot[] = [...onPremises, "gitops"];

type Choice = Omit<BaselineAddon, "dependsOn">;

/** The add-ons that a cluster is created with, each after its dependencies. */
export function baselineAddons(input: BaselineInput): readonly BaselineAddon[] {
  const noted = notedDefaults(input.cluster);
  const choices = [
    ...slots.flatMap((slot) => slotChoice(input, slot, noted)),
    ...noted.filter(({ name }) => placeOf(name) === undefined).map((each) => defaultChoice(input, each)),
  ];
  return inOrder(withDependencies(choices));
}

/** Presets name add-ons as the catalog does, or as the cluster's spec does. */
function placeOf(name: string): AddonSlot | undefined {
  return slotOf(name) ?? slots.find((slot) => Object.hasOwn(slotProducts[slot], name));
}

/** The catalog name of a slot's product. */
function nameIn(slot: AddonSlot, asked: string | undefined): string {
  const [usual = slot, ...others] = Object.values(slotProducts[slot]);
  if (asked === undefined) return usual;
  return Object.hasOwn(slotProducts[slot], asked)
    ? (slotProducts[slot][asked] ?? usual)
    : (others.find((name) => name === asked) ?? usual);
}

/** The settings of a slot in the cluster's spec. */
interface SlotBlock {
  readonly enabled?: boolean | undefined;
  readonly provider?: string | undefined;
  readonly version?: string | undefined;
}

function slotChoice(input: BaselineInput, slot: AddonSlot, noted: readonly NotedDefault[]): Choice[] {
  const wish = slotWish(input, slot, noted);
  if (wish === undefined) return [];
  const { name, slotVersion, isImplied } = wish;
  const definition = input.definitions.find(({ metadata }) => metadata.name === name);
  const variation = definition && variationFor(definition, input.providerType);
  if (isImplied && variation?.unsupported !== undefined) return [];
  const version = slotVersion ?? platformVersion(name, input.config) ?? definition?.spec.chart.defaultVersion;
  return [{ ...wish, slot, definition, version }];
}

type SlotWish = Pick<BaselineAddon, "name" | "slotVersion" | "isImplied" | "reason">;

/** The product of a slot and the source of the choice; undefined when it stays empty. */
function slotWish(input: BaselineInput, slot: AddonSlot, noted: readonly NotedDefault[]): SlotWish | undefined {
  const block: SlotBlock | undefined = input.cluster.spec.addons[slot];
  if (block?.enabled === false) return undefined;
  const presets = noted.filter((each) => placeOf(each.name) === slot);
  const asked = askedFor(slot, block) ?? presets[0]?.name;
  const name = nameIn(slot, asked);
  const preset = presets.find((each) => nameIn(slot, each.name) === name);
  const implied = impliedReason(input, slot);
  const reason = preset === undefined ? reasonOf(slot, { block, implied }) : presetReason(preset);
  if (reason === undefined) return undefined;
  const isImplied = implied !== undefined && asked === undefined;
  return { name, slotVersion: block?.version || undefined, isImplied, reason };
}

/** A slot with a single product has no field for its name: setting the slot requests it. */
function askedFor(slot: AddonSlot, block: SlotBlock | undefined): string | undefined {
  return slot === "certManager" && block !== undefined ? "cert-manager" : block?.provider;
}

function reasonOf(
  slot: AddonSlot,
  { block, implied }: { readonly block: SlotBlock | undefined; readonly implied: string | undefined },
): string | undefined {
  return block === undefined ? implied : `spec.addons.${slot} requests it`;
}

function impliedReason({ cluster, providerType }: BaselineInput, slot: AddonSlot): string | undefined {
  if (slot === "gitops" && cluster.spec.managementPolicy.mode === "GitOps") return "the cluster is managed by GitOps";
  if (providerType === undefined || !impliedSlots[providerType].includes(slot)) return undefined;
  return `clusters on ${providerType} include it by default`;
}

function presetReason({ from }: NotedDefault): string {
  return `it is a default add-on of the cluster's ${from}`;
}

type PlatformVersions = NonNullable<ButlerConfig["spec"]["defaultAddonVersions"]>;

const versionFields: Readonly<Record<string, keyof PlatformVersions>> = {
  cilium: "cilium",
  metallb: "metallb",
  "cert-manager": "certManager",
  longhorn: "longhorn",
  traefik: "traefik",
  flux: "fluxcd",
};

function platformVersion(name: string, config: ButlerConfig | undefined): string | undefined {
  const field = versionFields[name];
  return (field && config?.spec.defaultAddonVersions?.[field]) || undefined;
}

function defaultChoice({ definitions }: BaselineInput, preset: NotedDefault): Choice {
  const definition = definitions.find(({ metadata }) => metadata.name === preset.name);
  return {
    name: preset.name,
    definition,
    slot: undefined,
    version: definition?.spec.chart.defaultVersion,
    slotVersion: undefined,
    isImplied: false,
    reason: presetReason(preset),
  };
}

/** Dependencies of the chosen add-ons in the catalog; all of them depend on the pod network as well. */
function withDependencies(choices: readonly Choice[]): BaselineAddon[] {
  const stated = new Map(
    choices.map(({ name, definition }) => [
      name,
      (definition?.spec.dependsOn ?? []).filter(
        (each) => each !== name && choices.some((other) => other.name === each),
      ),
    ]),
  );
  const network = choices.find(({ slot }) => slot === "cni")?.name;
  const before = network === undefined ? new Set<string>() : everythingBelow(network, (name) => stated.get(name) ?? []);
  return choices.map((choice) => {
    const own = stated.get(choice.name) ?? [];
    const needsNetwork = network !== undefined && network !== choice.name && !before.has(choice.name);
    const dependsOn = needsNetwork && !own.includes(network) ? [network, ...own] : own;
    return { ...choice, dependsOn };
  });
}
