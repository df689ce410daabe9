import {
  type AddonDefinition,
  labels,
  type ManagementAddon,
  type ProviderType,
  type Team,
  type TenantAddon,
  type TenantCluster,
} from "@butler/api";
import { ButlerError } from "@butler/std";
import type { Blocker } from "@butler/resource";
import { definedChart, ownChart, type WantedChart } from "./chart-source.ts";
import { fingerprintOf } from "./fingerprint.ts";
import { kubernetesFault } from "./kubernetes-range.ts";
import { type MergedValues, mergeValues, type Values, type ValuesLayer } from "./merge-values.ts";
import { definedPlace, placeFault, releasePlace, type ReleasePlace } from "./release-names.ts";
import { repositoryFault } from "./repository-address.ts";
import { slotValues } from "./slots.ts";
import { effectiveTimeout } from "./timeout.ts";
import { valuesFault } from "./values-schema.ts";

/** Everything that determines a Helm release. */
export interface WantedRelease extends Omit<WantedChart, "versionMark">, ReleasePlace, MergedValues {
  readonly timeoutMs: number;
  /** Why the timeout is not the one that is set; undefined when it is. */
  readonly timeoutNote?: string | undefined;
  /** Equal exactly when Helm would install the same. */
  readonly fingerprint: string;
}

/** Why the spec of an add-on is invalid. */
export interface WantedFault extends Blocker {
  readonly reason:
    | "DefinitionNotFound"
    | "UnsupportedProvider"
    | "UnsupportedKubernetes"
    | "InvalidValues"
    | "InvalidRelease"
    | "InvalidRepository";
}

export type WantedResult = { readonly wanted: WantedRelease } | { readonly fault: WantedFault };

export interface WantedReleaseInput {
  readonly addon: TenantAddon;
  /** The definition that `spec.addon` names, if the catalog has it. */
  readonly definition: AddonDefinition | undefined;
  readonly cluster: TenantCluster;
  readonly team: Team | undefined;
  /** The infrastructure of the machines; undefined while unknown. */
  readonly providerType: ProviderType | undefined;
}

/** The release that Helm should install for an add-on of a tenant cluster, or why it is invalid. */
export function wantedRelease(input: WantedReleaseInput): WantedResult {
  const { addon, definition } = input;
  const { helm, timeout } = addon.spec;
  if (helm !== undefined) {
    const layers: ValuesLayer[] = [{ from: "addon", values: addon.spec.values }];
    return settle({ chart: ownChart(helm, addon), place: releasePlace(addon, undefined), timeout, layers });
  }
  if (definition === undefined) return notFound(addon.spec.addon ?? "");
  const unusable = unsupported(input, definition);
  if (unusable !== undefined) return unusable;
  return settle({
    chart: definedChart(definition, addon),
    place: releasePlace(addon, definition),
    timeout: timeout ?? definition.spec.defaults?.timeout,
    schema: definition.spec.valuesSchema,
    layers: catalogLayers(input, definition),
  });
}

/** The same for an add-on of the management cluster, where only the definition and the add-on set values. */
export function wantedManagementRelease(input: {
  readonly addon: ManagementAddon;
  readonly definition: AddonDefinition | undefined;
}): WantedResult {
  const { addon, definition } = input;
  if (definition === undefined) return notFound(addon.spec.addon);
  const { defaults, valuesSchema } = definition.spec;
  return settle({
    chart: definedChart(definition, addon),
    place: definedPlace(definition, addon.spec.addon),
    timeout: defaults?.timeout,
    schema: valuesSchema,
    layers: [
      { from: "definition", values: defaults?.values },
      { from: "addon", values: addon.spec.values },
    ],
  });
}

function unsupported(
  { cluster, providerType }: WantedReleaseInput,
  definition: AddonDefinition,
): WantedResult | undefined {
  const why = variationFor(definition, providerType)?.unsupported;
  if (why !== undefined) return fault("UnsupportedProvider", `cannot be used on ${providerType}: ${why}`);
  const kubernetes = cluster.status?.observedState?.kubernetesVersion ?? cluster.spec.kubernetesVersion;
  const wrong = kubernetes && kubernetesFault(definition.spec.kubernetesVersions, kubernetes);
  return wrong ? fault("UnsupportedKubernetes", `${definition.metadata.name} ${wrong}`) : undefined;
}

/** The settings of an AddonDefinition for an infrastructure: the first variation that lists it. */
export function variationFor(
  { spec }: AddonDefinition,
  providerType: ProviderType | undefined,
): NonNullable<AddonDefinition["spec"]["variations"]>[number] | undefined {
  return providerType && spec.variations?.find(({ providers }) => providers.includes(providerType));
}

/** The values layers of an add-on of the catalog, lowest precedence first. */
function catalogLayers(
  { addon, cluster, team, providerType }: WantedReleaseInput,
  definition: AddonDefinition,
): readonly ValuesLayer[] {
  const environment = cluster.metadata.labels?.[labels.environment];
  const own = team?.spec.environments?.find(({ name }) => name === environment);
  const presetBy = (holder: Pick<Team["spec"], "clusterDefaults"> | undefined): Values | undefined => {
    const all = holder?.clusterDefaults?.addonValues ?? {};
    return Object.hasOwn(all, definition.metadata.name) ? all[definition.metadata.name] : undefined;
  };
  return [
    { from: "definition", values: definition.spec.defaults?.values },
    { from: "provider", values: variationFor(definition, providerType)?.values },
    { from: "team", values: presetBy(team?.spec) },
    { from: "environment", values: presetBy(own) },
    { from: "cluster", values: slotValues(cluster, addon) },
    { from: "addon", values: addon.spec.values },
  ];
}

interface Settling {
  readonly chart: WantedChart;
  readonly place: ReleasePlace;
  readonly timeout: string | undefined;
  readonly schema?: Readonly<Record<string, unknown>> | undefined;
  readonly layers: readonly ValuesLayer[];
}

function settle({ schema, chart, place, timeout, layers }: Settling): WantedResult {
  const badPlace = placeFault(place);
  if (badPlace !== undefined) return fault("InvalidRelease", badPlace);
  const badAddress = repositoryFault(chart.source.repository);
  if (badAddress !== undefined) return fault("InvalidRepository", `the repository URL ${badAddress}`);
  const merged = merge(layers);
  if ("fault" in merged) return merged;
  const badValues = valuesFault(schema, merged.values);
  if (badValues !== undefined) return fault("InvalidValues", `invalid values: ${badValues}`);
  const { source, credentials, versionMark } = chart;
  const identity = [source.repository, source.name, versionMark.replace(/^v/, ""), place.release, place.namespace];
  return {
    wanted: {
      source,
      credentials,
      ...place,
      ...merged,
      ...effectiveTimeout(timeout),
      fingerprint: fingerprintOf([...identity, merged.values]),
    },
  };
}

function merge(layers: readonly ValuesLayer[]): MergedValues | { readonly fault: WantedFault } {
  try {
    return mergeValues(layers);
  } catch (error) {
    if (error instanceof ButlerError) return fault("InvalidValues", error.message);
    throw error;
  }
}

function notFound(name: string): WantedResult {
  return fault(
    "DefinitionNotFound",
    `add-on ${JSON.stringify(name)} not found in the catalog; list the catalog with \`butlerctl addon catalog\``,
  );
}

function fault(reason: WantedFault["reason"], message: string): { readonly fault: WantedFault } {
  return { fault: { reason, message } };
}
