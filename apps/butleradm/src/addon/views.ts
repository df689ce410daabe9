import { type AddonDefinition, builtinSource, labels, type ManagementAddon } from "@butler/api";
import { addonPhaseStyle, readyText } from "@butler/changes";
import { ageOf, type ObjectView } from "@butler/cli-kit";
import { isBeingDeleted, type KubeObject } from "@butler/resource";

/** How catalog entries are displayed in lists. */
export function definitionView(now: () => Date): ObjectView<AddonDefinition> {
  return {
    nameOf: ({ metadata }) => `addondefinition/${metadata.name}`,
    columns: [
      { title: "NAME", value: ({ metadata }) => metadata.name },
      { title: "CATEGORY", value: ({ spec }) => spec.category },
      { title: "CHART", value: ({ spec }) => spec.chart.name },
      { title: "VERSION", value: ({ spec }) => spec.chart.defaultVersion },
      { title: "SOURCE", value: (definition) => (isBuiltin(definition) ? "built-in" : "custom") },
      { title: "AGE", value: ({ metadata }) => ageOf(metadata.creationTimestamp, now()) },
      { title: "PLATFORM", value: ({ spec }) => (spec.platform ? "yes" : "-"), isWide: true },
      { title: "DEPENDS ON", value: ({ spec }) => spec.dependsOn?.join(",") || "-", isWide: true },
      { title: "CONFLICTS", value: ({ spec }) => spec.conflictsWith?.join(",") || "-", isWide: true },
      { title: "REPOSITORY", value: ({ spec }) => spec.chart.repository, isWide: true },
    ],
  };
}

/** Whether an entry is shipped with Butler. */
export function isBuiltin({ metadata }: AddonDefinition): boolean {
  return metadata.labels?.[labels.source] === builtinSource;
}

/** Lifecycle phase of an add-on of the management cluster. */
export function managementPhase(addon: ManagementAddon): string {
  return isBeingDeleted(addon) ? "Uninstalling" : (addon.status?.phase ?? "Pending");
}

/** How add-ons of the management cluster are displayed in lists. */
export function managementView(now: () => Date): ObjectView<ManagementAddon> {
  return {
    nameOf: ({ metadata }) => `managementaddon/${metadata.name}`,
    columns: [
      { title: "NAME", value: ({ metadata }) => metadata.name },
      { title: "ADDON", value: ({ spec }) => spec.addon },
      { title: "VERSION", value: ({ spec }) => spec.version || "-" },
      { title: "PHASE", value: managementPhase, style: (addon) => addonPhaseStyle(managementPhase(addon)) },
      { title: "INSTALLED", value: ({ status }) => status?.installedVersion ?? "-" },
      { title: "READY", value: readyText },
      { title: "AGE", value: ({ metadata }) => ageOf(metadata.creationTimestamp, now()) },
      { title: "HELM RELEASE", value: ({ status }) => status?.helmRelease?.name ?? "-", isWide: true },
      { title: "HELM NAMESPACE", value: ({ status }) => status?.helmRelease?.namespace ?? "-", isWide: true },
      { title: "MESSAGE", value: ({ status }) => status?.message ?? "", isWide: true },
    ],
  };
}

/** Objects by name. */
export function byName(left: KubeObject, right: KubeObject): number {
  return left.metadata.name < right.metadata.name ? -1 : 1;
}
