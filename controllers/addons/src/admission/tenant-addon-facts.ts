import {
  AddonDefinition,
  ButlerConfig,
  butlerConfigName,
  ProviderConfig,
  providerKeyOf,
  type ProviderType,
  Team,
  TenantAddon,
  TenantCluster,
} from "@butler/api";
import { listServed } from "@butler/controller";
import type { KubeClient } from "@butler/kube";

/** Facts about the cluster of an add-on. */
export interface TenantAddonFacts {
  /** Undefined when it does not exist yet. */
  readonly cluster: TenantCluster | undefined;
  /** The team of the cluster; undefined when there is none. */
  readonly team: Team | undefined;
  readonly providerType: ProviderType | undefined;
  /** All add-ons of the cluster that are stored. */
  readonly addons: readonly TenantAddon[];
  readonly definitions: readonly AddonDefinition[];
}

/** Where the facts for validating add-ons are read. */
export type AddonReader = Pick<KubeClient, "find" | "list">;

/** Reads the facts for validating an add-on from the API server. */
export async function readAddonFacts(
  client: AddonReader,
  { addon, namespace }: { readonly addon: TenantAddon; readonly namespace: string },
  signal: AbortSignal,
): Promise<TenantAddonFacts> {
  const { name } = addon.spec.clusterRef;
  const cluster = await client.find(TenantCluster, { name, namespace }, signal);
  const [team, config, addons, definitions] = await Promise.all([
    // An add-on may exist before its cluster, which then belongs to the namespace's team.
    client.find(Team, { name: cluster?.spec.teamRef?.name ?? namespace }, signal),
    client.find(ButlerConfig, { name: butlerConfigName }, signal),
    listServed(client, TenantAddon, { namespace, signal }),
    listServed(client, AddonDefinition, { signal }),
  ]);
  const providerKey = cluster && providerKeyOf(cluster, { team, config });
  const provider = providerKey && (await client.find(ProviderConfig, providerKey, signal));
  return {
    cluster,
    team,
    providerType: provider?.spec.provider,
    addons: addons.filter(({ spec }) => spec.clusterRef.name === name),
    definitions,
  };
}
