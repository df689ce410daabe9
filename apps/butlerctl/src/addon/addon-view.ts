import type { TenantAddon } from "@butler/api";
import { ageOf, type Column, type ObjectView, type Style } from "@butler/cli-kit";
import { isBeingDeleted, type KubeObject } from "@butler/resource";
import { addonTitle } from "./find-addon.ts";

const phaseStyles: Readonly<Record<string, Style>> = {
  Installed: "good",
  Installing: "busy",
  Upgrading: "busy",
  RollingBack: "busy",
  WaitingForDependencies: "busy",
  Degraded: "bad",
  Failed: "bad",
  Pending: "faint",
  Deleting: "leaving",
};

/** Where an add-on is in its life, in one word. */
export function addonPhase(addon: TenantAddon): string {
  return isBeingDeleted(addon) ? "Deleting" : (addon.status?.phase ?? "Pending");
}

/** The colour of an add-on's phase. */
export function addonPhaseStyle(addon: TenantAddon): Style | undefined {
  return phaseStyles[addonPhase(addon)];
}

/** How much of what the chart made is ready. */
export function readyText({ status }: TenantAddon): string {
  return status?.resources === undefined ? "-" : `${status.resources.ready}/${status.resources.total}`;
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
      { title: "PHASE", value: addonPhase, style: addonPhaseStyle },
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

/** The object as it is given to people: without the bookkeeping of server-side apply. */
export function forPeople<T extends KubeObject>(object: T): T {
  const { managedFields: _dropped, ...metadata } = object.metadata;
  return { ...object, metadata };
}
