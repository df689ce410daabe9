import {
  AddonDefinition,
  ButlerConfig,
  butlerConfigName,
  ProviderConfig,
  providerKeyOf,
  type ProviderType,
  Team,
  TenantAddon,
  type TenantCluster,
} from "@butler/api";
import { readList, type Session } from "@butler/cli-session";
import type { Kind, ObjectKey } from "@butler/resource";
import { Forbidden } from "@butler/std";
import type { ObjectFor } from "@butler/kube";

/** Everything that determines the add-ons of a cluster, as far as the user has access to it. */
export interface AddonFacts {
  readonly cluster: TenantCluster;
  /** Add-ons of the cluster. */
  readonly addons: readonly TenantAddon[];
  /** The catalog. */
  readonly definitions: readonly AddonDefinition[];
  readonly team: Team | undefined;
  readonly providerType: ProviderType | undefined;
}

/** Reads everything that determines the add-ons of a cluster. */
export async function readAddonFacts(session: Session, cluster: TenantCluster): Promise<AddonFacts> {
  const [addons, definitions, team, config] = await Promise.all([
    readAddons(session, cluster),
    readCatalog(session),
    findIfAllowed(session, Team, cluster.spec.teamRef && { name: cluster.spec.teamRef.name }),
    findIfAllowed(session, ButlerConfig, { name: butlerConfigName }),
  ]);
  const provider = await findIfAllowed(session, ProviderConfig, providerKeyOf(cluster, { team, config }));
  return { cluster, addons, definitions, team, providerType: provider?.spec.provider };
}

/** The add-ons of a cluster, by name. */
export async function readAddons(session: Session, { metadata }: TenantCluster): Promise<readonly TenantAddon[]> {
  const all = await readList(session, TenantAddon, { namespace: metadata.namespace });
  return all
    .filter(({ spec }) => spec.clusterRef.name === metadata.name)
    .toSorted((left, right) => (left.metadata.name < right.metadata.name ? -1 : 1));
}

/** The catalog, by name. */
export async function readCatalog(session: Session): Promise<readonly AddonDefinition[]> {
  const all = await readList(session, AddonDefinition, {});
  return all.toSorted((left, right) => (left.metadata.name < right.metadata.name ? -1 : 1));
}

/** Undefined without permission to read the object: the server knows it and has the final say. */
async function findIfAllowed<K extends Kind>(
  { client, signal }: Session,
  kind: K,
  key: ObjectKey | undefined,
): Promise<ObjectFor<K> | undefined> {
  if (key === undefined) return undefined;
  try {
    return await client.find(kind, key, signal);
  } catch (error) {
    if (error instanceof Forbidden) return undefined;
    throw error;
  }
}
