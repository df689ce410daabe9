import {
  AddonDefinition,
  ButlerConfig,
  finalizers,
  ProviderConfig,
  Team,
  TenantAddon,
  TenantCluster,
} from "@butler/api";
import { type CacheReader, defineController, specAndConditions, viaChanges, viaSpec } from "@butler/controller";
import { isConditionTrue, keyOf, keyText, type KubeObject, type ObjectKey } from "@butler/resource";
import type { ReleaseEffect } from "../release/effects.ts";
import { releasePerformers } from "../release/release-ports.ts";
import { addonsOf, byCluster, clusterKeyOf, observe, type TenantAddonPorts } from "./observe.ts";
import type { Observed } from "./observed.ts";
import { plan } from "./plan.ts";

/** Installs add-ons into tenant clusters, keeps them as they should be, and takes them away. */
export const tenantAddonController = defineController<typeof TenantAddon, Observed, ReleaseEffect, TenantAddonPorts>({
  name: "tenant-addon",
  primary: TenantAddon,
  watches: [
    viaSpec(AddonDefinition, ({ metadata }, read) => concernedBy(metadata.name, read)),
    viaChanges(TenantCluster, { of: clusterText, map: addonsOf }),
    viaSpec(Team, ({ metadata }, read) => addonsOfTeam(metadata.name, read)),
    viaChanges(TenantAddon, { of: standing, map: (addon, read) => waitingWith(addon, read) }),
  ],
  reads: [{ kind: ButlerConfig }, { kind: ProviderConfig }],
  indexes: [{ kind: TenantAddon, name: byCluster, of: clusterTexts }],
  // Kubeconfigs of tenants, and credentials of repositories.
  permissions: [{ apiGroups: [""], resources: ["secrets"], verbs: ["get"] }],
  finalizer: finalizers.tenantAddon,
  // Many, because a pass may wait for a tenant, and others must not wait with it.
  concurrency: 32,
  timeoutMs: 60_000,
  observe,
  plan,
  perform: releasePerformers,
});

function clusterTexts(object: KubeObject): string[] {
  return [keyText(clusterKeyOf(object as TenantAddon))];
}

/** What an add-on has to know of its cluster. */
function clusterText(cluster: TenantCluster): string {
  const { status, metadata } = cluster;
  const { kubeconfigSecretRef, tenantNamespace, observedState } = status ?? {};
  const place = [
    kubeconfigSecretRef?.name,
    tenantNamespace,
    observedState?.kubernetesVersion,
    metadata.deletionTimestamp,
  ].join(" ");
  return `${specAndConditions(cluster)} ${place}`;
}

/** What an add-on has to know of another. */
function standing({ metadata, status }: TenantAddon): string {
  const isReady = isConditionTrue(status?.conditions, "Ready");
  return [metadata.generation, metadata.deletionTimestamp, status?.phase, status?.installedVersion, isReady].join(" ");
}

/** Only those who wait care what becomes of others. */
function waitingWith(addon: TenantAddon, read: CacheReader): ObjectKey[] {
  const all = read.byIndex(TenantAddon, byCluster, keyText(clusterKeyOf(addon)));
  return all.filter((other) => other.metadata.name !== addon.metadata.name && isWaiting(other)).map(keyOf);
}

function isWaiting({ status }: TenantAddon): boolean {
  return status?.phase === undefined || !isConditionTrue(status.conditions, "DependenciesMet");
}

function concernedBy(definition: string, read: CacheReader): ObjectKey[] {
  return read
    .list(TenantAddon)
    .filter((addon) => addon.spec.addon === definition || isWaiting(addon))
    .map(keyOf);
}

function addonsOfTeam(team: string, read: CacheReader): ObjectKey[] {
  const clusters = read.list(TenantCluster).filter(({ spec }) => spec.teamRef?.name === team);
  return clusters.flatMap((cluster) => addonsOf(cluster, read));
}
