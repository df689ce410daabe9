import {
  ButlerConfig,
  butlerConfigName,
  ClusterCreationPolicy,
  DataStore,
  ProviderConfig,
  providerKeyOf,
  Team,
  TenantCluster,
} from "@butler/api";
import { listServed } from "@butler/controller";
import { type KubeClient, listAll } from "@butler/kube";
import { keyOf } from "@butler/resource";
import { isClusterOf } from "../../shared/index.ts";
import { ledgerKey, type StoredClaim } from "../ledger/entries.ts";
import { dataStoreOf } from "./data-store.ts";
import type { TenantClusterFacts } from "./input.ts";
import { claimOf } from "./quota.ts";
import { namespaceOfTeam } from "./tenancy.ts";

type Reader = Pick<KubeClient, "find" | "list">;

/** Reads the platform's settings and the team of a cluster from the API server. */
export async function readTeamAndConfig(
  client: Reader,
  { cluster, namespace }: { readonly cluster: TenantCluster; readonly namespace: string },
  signal: AbortSignal,
): Promise<Pick<TenantClusterFacts, "config" | "team">> {
  const named = cluster.spec.teamRef?.name;
  const [config, team] = await Promise.all([
    client.find(ButlerConfig, { name: butlerConfigName }, signal),
    client.find(Team, { name: named ?? namespace }, signal),
  ]);
  const isOfNamespace = team !== undefined && namespaceOfTeam(team) === namespace;
  return { config, team: named !== undefined || isOfNamespace ? team : undefined };
}

/** Reads the facts for validating a cluster. */
export async function readFacts(
  client: Reader,
  cluster: TenantCluster,
  signal: AbortSignal,
): Promise<Omit<TenantClusterFacts, "addons" | "definitions">> {
  const namespace = cluster.metadata.namespace ?? "";
  const { config, team } = await readTeamAndConfig(client, { cluster, namespace }, signal);
  const providerKey = providerKeyOf(cluster, { team, config });
  const dataStoreName = dataStoreOf(cluster);
  const [provider, policies, dataStore] = await Promise.all([
    providerKey && client.find(ProviderConfig, providerKey, signal),
    listServed(client, ClusterCreationPolicy, { signal }),
    dataStoreName === undefined ? undefined : client.find(DataStore, { name: dataStoreName }, signal),
  ]);
  return { config, team, providerKey, provider, policies, dataStore };
}

/** All clusters in the namespace of one: a team's clusters are all in its namespace. */
export async function readClustersBeside(client: Reader, { metadata }: TenantCluster): Promise<TenantCluster[]> {
  const clusters: TenantCluster[] = [];
  for await (const each of listAll(client, TenantCluster, { namespace: metadata.namespace })) clusters.push(each);
  return clusters;
}

/** The clusters that share limits: the team's, or those without a team. */
export function storedClaims(
  clusters: readonly TenantCluster[],
  facts: Pick<TenantClusterFacts, "team" | "config">,
): Map<string, StoredClaim> {
  const { team } = facts;
  const sharing = clusters.filter((each) =>
    team === undefined ? each.spec.teamRef === undefined : isClusterOf(each, team.metadata.name),
  );
  return new Map(
    sharing.map((each) => {
      const { uid = "", resourceVersion = "" } = each.metadata;
      return [ledgerKey(keyOf(each)), { claim: claimOf(each, facts), uid, resourceVersion }];
    }),
  );
}

/** The quota account of a cluster. Team names have no dot, so they never clash with a namespace's account. */
export function accountOf(cluster: TenantCluster, { team }: Pick<TenantClusterFacts, "team">): string {
  return team?.metadata.name ?? `no-team.${cluster.metadata.namespace ?? ""}`;
}
