import {
  type ButlerConfig,
  namespaces,
  type ProviderConfig,
  providerKeyOf,
  type Team,
  type TenantCluster,
} from "@butler/api";
import { keyOf, keyText } from "@butler/resource";

/** Objects that can use a provider. */
export interface ProviderSurroundings {
  readonly clusters: readonly TenantCluster[];
  readonly teams: readonly Team[];
  readonly config: ButlerConfig | undefined;
}

/** The users of a provider. */
export interface ProviderUse {
  /** Clusters that use it, directly or through the default of their team or the platform. */
  readonly clusters: readonly string[];
  /** Teams that use it for new clusters by default. */
  readonly teams: readonly string[];
  /** Whether it is the platform's default provider. */
  readonly isDefault: boolean;
}

/** Finds the users of a provider. */
export function providerUse(provider: ProviderConfig, { clusters, teams, config }: ProviderSurroundings): ProviderUse {
  const own = keyText(keyOf(provider));
  const teamOf = (name: string | undefined): Team | undefined => teams.find(({ metadata }) => metadata.name === name);
  const isHere = (name: string | undefined): boolean =>
    name !== undefined && keyText({ name, namespace: namespaces.system }) === own;
  const using = clusters.filter((cluster) => {
    const key = providerKeyOf(cluster, { team: teamOf(cluster.spec.teamRef?.name), config });
    return key !== undefined && keyText(key) === own;
  });
  return {
    clusters: using.map((cluster) => keyText(keyOf(cluster))).sort(),
    teams: teams
      .filter(({ spec }) => isHere(spec.providerConfigRef?.name))
      .map(({ metadata }) => metadata.name)
      .sort(),
    isDefault: isHere(config?.spec.defaultProviderConfigRef?.name),
  };
}
