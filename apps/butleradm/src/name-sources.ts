import {
  AddonDefinition,
  IdentityProvider,
  ManagementAddon,
  NetworkPool,
  ProviderConfig,
  Team,
  TenantCluster,
  User,
} from "@butler/api";
import type { NameSources, Terminal } from "@butler/cli-kit";
import { namesOfKinds } from "@butler/cli-session";

/** Sources of names for shell completion. */
export function nameSources(terminal: Terminal): NameSources {
  return namesOfKinds(terminal, {
    addon: ManagementAddon,
    catalog: AddonDefinition,
    cluster: TenantCluster,
    definition: AddonDefinition,
    idp: IdentityProvider,
    network: NetworkPool,
    pool: NetworkPool,
    provider: ProviderConfig,
    team: Team,
    user: User,
  });
}
