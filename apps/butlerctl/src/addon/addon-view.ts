import type { TenantAddon } from "@butler/api";
import { addonPhaseStyle, readyText } from "@butler/changes";
import { ageOf, type Column, type ObjectView } from "@butler/cli-kit";
import { isBeingDeleted } from "@butler/resource";
import { addonTitle } from "./find-addon.ts";

/** Where an add-on is in its life, in one word. */
export function addonPhase(addon: TenantAddon): string {
  return isBeingDeleted(addon) ? "Deleting" : (addon.status?.phase ?? "Pending");
}

/** How add-ons are shown in lists. */
export function addonView(now: () => Date, { hasCluster }: { hasCluster: boolean }): ObjectView<TenantAddon> {
  const cluster: Column<TenantAddon> = { title: "CLUSTER", value: ({ spec }) => spec.clusterRef.name };
  return {
    nameOf: ({ metadata }) => `tenantaddon.butler.butlerlabs.dev/${metadata.name}`,
    columns: [
      ...(hasCluster ? [cluster] : []),
      { title: "NAME", value: ({ metadata }) => metadata.name },
      { title: "ADDON", value: addonTitle },
      { title: "VERSION", value: ({ spec }) => spec.version || "-" },
      { title: "PHASE", value: addonPhase, style: (addon) => addonPhaseStyle(addonPhase(addon)) },
      { title: "INSTALLED", value: ({ status }) => status?.installedVersion ?? "-" },
      { title: "READY", value: readyText },
      { title: "AGE", value: ({ metadata }) => ageOf(metadata.creationTimestamp, now()) },
      { title: "NAMESPACE", value: ({ metadata }) => metadata.namespace ?? "", isWide: true },
      { title: "HELM RELEASE", value: ({ status }) => status?.helmRelease?.name ?? "-", isWide: true },
      { title: "HELM NAMESPACE", value: ({ status }) => status?.helmRelease?.namespace ?? "-", isWide: true },
      { title: "MESSAGE", value: ({ status }) => status?.message ?? "", isWide: true },
    ],
  };
}
