import { borrowsCredentials, credentialsKeyOf } from "@butler/access";
import {
  ButlerConfig,
  butlerConfigName,
  NetworkPool,
  type ProviderConfig,
  providerKeyOf,
  Team,
  TenantCluster,
} from "@butler/api";
import type { CacheReader, ObserveContext } from "@butler/controller";
import { isBeingDeleted, keyOf, keyText } from "@butler/resource";
import { clusterNames } from "../shared/index.ts";
import { poolKeysOf } from "./capacity.ts";
import type { Observed } from "./plan.ts";
import type { ProviderConfigPorts } from "./ports.ts";

/** Reads what the plan needs; of credentials, only their keys. */
export async function observe({
  primary,
  read,
  ports,
  signal,
}: ObserveContext<typeof ProviderConfig, ProviderConfigPorts>): Promise<Observed> {
  const { teamRef, type } = primary.spec.scope ?? {};
  // Not even the keys of another namespace's Secret are read.
  const secret = borrowsCredentials(primary) ? undefined : credentialsKeyOf(primary);
  return {
    config: primary,
    usedBy: isBeingDeleted(primary) ? usersOf(primary, read) : [],
    credentialKeys: secret && (await ports.secretKeys(secret, signal)),
    pools: poolKeysOf(primary).map((key) => ({ name: key.name, pool: read.get(NetworkPool, key) })),
    platform: read.get(ButlerConfig, { name: butlerConfigName }),
    hasTeam: type !== "team" || (teamRef !== undefined && read.get(Team, teamRef) !== undefined),
  };
}

/** Clusters that use the provider, by their own reference or by that of their team or the platform. */
function usersOf(config: ProviderConfig, read: CacheReader): string[] {
  const platform = read.get(ButlerConfig, { name: butlerConfigName });
  const own = keyText(keyOf(config));
  const users = read.list(TenantCluster).filter((cluster) => {
    const { teamRef } = cluster.spec;
    const team = teamRef && read.get(Team, teamRef);
    const key = providerKeyOf(cluster, { team, config: platform });
    return key !== undefined && keyText(key) === own;
  });
  return clusterNames(users);
}
