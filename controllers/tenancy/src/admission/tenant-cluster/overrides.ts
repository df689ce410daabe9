import type { ProviderConfig, TenantCluster } from "@butler/api";
import { denied } from "@butler/controller";
import type { Denial } from "@butler/kube";
import { keyText } from "@butler/resource";
import { environmentOf } from "./environment.ts";
import type { TenantClusterInput } from "./input.ts";
import { decidingPolicy, type PolicyOption } from "./policy.ts";
import { templatesOf } from "./provider.ts";

type Allowed = NonNullable<ProviderConfig["spec"]["allowedOverrides"]>[number];

/** A setting that a cluster can choose instead of its provider's. */
interface Setting {
  /** The field of the override. */
  readonly own: Allowed;
  /** The field of the provider's block, if its name differs. */
  readonly given?: string;
  /** The option of a ClusterCreationPolicy that restricts it. */
  readonly option?: PolicyOption;
}

const settings: Readonly<Partial<Record<string, readonly Setting[]>>> = {
  harvester: [{ own: "namespace" }, { own: "networkName", option: "network" }, { own: "imageName", option: "image" }],
  nutanix: [
    { own: "clusterUUID", option: "cluster" },
    { own: "subnetUUID", option: "network" },
    { own: "imageUUID", option: "image" },
    { own: "storageContainerUUID", option: "storageContainer" },
  ],
  proxmox: [
    { own: "node", given: "nodes" },
    { own: "storage", option: "storageContainer" },
    { own: "templateID", option: "image" },
  ],
  gcp: [
    { own: "zone" },
    { own: "machineType" },
    { own: "image", option: "image" },
    { own: "imageFamily" },
    { own: "subnetwork", option: "network" },
  ],
};

interface Override extends Setting {
  readonly path: string;
  readonly value: string;
}

/** What a cluster chooses instead of its provider's settings: images of pools, and settings of the whole cluster. */
function overridesOf({ spec, ...rest }: TenantCluster, infrastructure: string): Override[] {
  const known = settings[infrastructure] ?? [];
  const block = (spec.infrastructureOverride ?? {}) as Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  const image = known.find(({ option }) => option === "image");
  const ofPools = templatesOf({ spec, ...rest }).map(({ path, template }) => ({
    path: `${path}.os.imageRef`,
    value: template.os.imageRef ?? "",
  }));
  return [
    ...known.map((setting) => ({
      ...setting,
      path: `spec.infrastructureOverride.${infrastructure}.${setting.own}`,
      value: textOf(block[infrastructure]?.[setting.own]),
    })),
    ...(image === undefined ? [] : ofPools.map((each) => ({ ...image, ...each }))),
  ].filter(({ value }) => value !== "");
}

/**
 * Rejects settings that a cluster chooses instead of its provider's. Machines are created with the provider's
 * credentials, which reach more than the provider's settings: other namespaces, networks and images. A team may choose
 * what the ProviderConfig leaves to it, what a ClusterCreationPolicy has a rule for, and anything on its own provider.
 */
export function overrideDenials(input: TenantClusterInput): Denial[] {
  const { cluster, before, requester, facts } = input;
  const { provider } = facts;
  if (requester.isTrusted || requester.isPlatformAdmin === true) return [];
  if (provider === undefined) return uncheckedDenials(input);
  // Members of the team can read these credentials anyway.
  if (provider.metadata.namespace === cluster.metadata.namespace) return [];
  return changedOverrides(cluster, before, provider.spec.provider)
    .filter((override) => !isAllowed(override, provider, input))
    .flatMap(({ path, own, value }) => {
      const remedy = `remove it, or ask a platform administrator to add ${own} to allowedOverrides in the ProviderConfig`;
      const where = `ProviderConfig ${provider.metadata.name}`;
      const message = `${value} is not configured in ${where}, which does not allow other values; ${remedy}`;
      return denied("FORBIDDEN", path, message);
    });
}

/** Without its provider, a change of a cluster's settings cannot be checked; a new cluster is rejected anyway. */
function uncheckedDenials({ cluster, before, facts: { providerKey } }: TenantClusterInput): Denial[] {
  if (
    before === undefined ||
    Object.keys(settings).every((each) => changedOverrides(cluster, before, each).length === 0)
  )
    return [];
  const message = `ProviderConfig ${providerKey === undefined ? "" : keyText(providerKey)} not found, so its settings cannot be overridden; create it first`;
  return denied("NOT_FOUND", "spec.infrastructureOverride", message);
}

/** Whether a request chooses settings instead of those of the provider, which may require permission. */
export function choosesSettings({ cluster, before, facts }: Pick<TenantClusterInput, "cluster" | "before" | "facts">) {
  return facts.provider !== undefined && changedOverrides(cluster, before, facts.provider.spec.provider).length > 0;
}

function changedOverrides(cluster: TenantCluster, before: TenantCluster | undefined, infrastructure: string) {
  const earlier = before === undefined ? [] : overridesOf(before, infrastructure);
  return overridesOf(cluster, infrastructure).filter(
    ({ own, value }) => !earlier.some((each) => each.own === own && each.value === value),
  );
}

function isAllowed(override: Override, provider: ProviderConfig, input: TenantClusterInput): boolean {
  const { own, option, value } = override;
  const { spec } = provider;
  const known = valuesOf(override, provider);
  if (known.includes(value) || (spec.allowedOverrides ?? []).includes(own)) return true;
  // A provider without an image leaves the choice to each cluster.
  if (option === "image" && known.every((each) => each === "")) return true;
  if (option === undefined) return false;
  const { cluster, facts } = input;
  const place = { team: facts.team?.metadata.name, environment: environmentOf(cluster), provider: spec.provider };
  return decidingPolicy(facts.policies, option, place) !== undefined;
}

/** The values of a provider's own setting; some settings are lists. */
function valuesOf({ own, given = own, option }: Setting, { spec }: ProviderConfig): string[] {
  const block = spec[spec.provider] as Readonly<Record<string, unknown>> | undefined;
  const setting = block?.[given];
  const subnet = option === "network" ? spec.network?.subnet : undefined;
  return [subnet, ...(Array.isArray(setting) ? (setting as unknown[]) : [setting])].map(textOf);
}

function textOf(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}
