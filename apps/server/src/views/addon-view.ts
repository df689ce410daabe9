import { type AddonDefinition, builtinSource, labels, type TenantAddon, type TenantCluster } from "@butler/api";
import { type addonView, type catalogEntry, platformAddons } from "@butler/contract";
import type { z } from "zod";

type AddonView = z.output<typeof addonView>;

/** A catalog entry as returned by the API. */
export function showEntry({ metadata, spec }: AddonDefinition): z.output<typeof catalogEntry> {
  const { chart, defaults } = spec;
  return {
    name: metadata.name,
    displayName: spec.displayName,
    description: spec.description,
    category: spec.category,
    icon: spec.icon,
    iconData: spec.iconData,
    chartRepository: chart.repository,
    chartName: chart.name,
    defaultVersion: chart.defaultVersion,
    availableVersions: chart.availableVersions ?? [],
    defaultNamespace: defaults?.namespace ?? metadata.name,
    platform: spec.platform,
    dependsOn: spec.dependsOn ?? [],
    conflictsWith: spec.conflictsWith ?? [],
    kubernetesVersions: spec.kubernetesVersions,
    valuesSchema: spec.valuesSchema,
    source: metadata.labels?.[labels.source] === builtinSource ? "builtin" : "custom",
    links: textsOf(spec.links ?? {}),
    resourceVersion: metadata.resourceVersion,
  };
}

function textsOf(links: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(links).flatMap(([name, link]) => (link === undefined ? [] : [[name, link]])),
  );
}

/** An add-on of a cluster. Its values can hold secrets, and are shown only to those who may change them. */
export function showAddon(
  addon: TenantAddon,
  { definition, showsValues }: { readonly definition: AddonDefinition | undefined; readonly showsValues: boolean },
): AddonView {
  const { metadata, spec } = addon;
  const { addon: entry = "", version = "", paused = false, rollbackTo } = spec;
  return {
    name: metadata.name,
    addon: entry,
    displayName: definition?.spec.displayName ?? (entry || (spec.helm?.chart ?? metadata.name)),
    version,
    platform: definition?.spec.platform ?? false,
    managedBy: "butler",
    helm: chartOf(spec.helm),
    values: showsValues ? spec.values : undefined,
    rollbackTo,
    paused,
    resourceVersion: metadata.resourceVersion,
    createdAt: metadata.creationTimestamp,
    status: statusOf(addon),
  };
}

/** URL of the chart repository, without credentials. */
function chartOf(helm: TenantAddon["spec"]["helm"]): AddonView["helm"] {
  if (helm === undefined) return undefined;
  const { repository, chart, releaseName, namespace } = helm;
  return { repository, chart, releaseName, namespace };
}

function statusOf({ metadata, status }: TenantAddon): AddonView["status"] {
  const { phase = "Pending", installedVersion = "", message = "", helmRelease } = status ?? {};
  const isGoing = metadata.deletionTimestamp !== undefined;
  return { phase: isGoing ? "Deleting" : phase, installedVersion, message, revision: helmRelease?.revision };
}

/** Add-ons found in a cluster without a TenantAddon. */
export function addonsFound({ status }: TenantCluster, own: readonly TenantAddon[]): AddonView[] {
  const known = new Set(own.flatMap(({ metadata, spec }) => [metadata.name, spec.addon ?? ""]));
  return platformAddons(status?.observedState?.addons, known);
}
