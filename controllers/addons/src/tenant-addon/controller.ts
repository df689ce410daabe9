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

/** Installs, reconciles and removes add-ons of tenant clusters. */
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
  // High, because a reconcile may wait for a tenant and must not block others.
  concurrency: 32,
  timeoutMs: 60_000,
  observe,
  plan,
  perform: releasePerformers,
});

function clusterTexts(object: KubeObject): string[] {
  return [keyText(clusterKeyOf(object as TenantAddon))];
}

/** The state of a cluster that affects its add-ons. */
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

/** The state of an add-on that affects others. */
function standing({ metadata, status }: TenantAddon): string {
  const isReady = isConditionTrue(status?.conditions, "Ready");
  return [metadata.generation, metadata.deletionTimestamp, status?.phase, status?.installedVersion, isReady].join(" ");
}

/** Add-ons that wait for dependencies are reconciled when others change. */
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
