import { namespaces, type ProviderConfig, type TenantCluster } from "@butler/api";
import { keyText, type ObjectKey } from "@butler/resource";

/** Key of the credentials Secret of a ProviderConfig; undefined when it refers to none. */
export function credentialsKeyOf({ metadata, spec }: ProviderConfig): ObjectKey | undefined {
  const reference = spec.credentialsRef;
  return reference && { name: reference.name, namespace: reference.namespace || metadata.namespace };
}

/**
 * Whether a ProviderConfig refers to credentials that are not its own. Only the platform's may: Butler reads the Secret
 * with its own permissions, and otherwise any user who may write a ProviderConfig could send others' credentials to a
 * server of their own. Admission rejects it, and every reader asks again.
 */
export function borrowsCredentials(provider: ProviderConfig): boolean {
  const { namespace } = provider.metadata;
  const key = credentialsKeyOf(provider);
  return key !== undefined && key.namespace !== namespace && namespace !== namespaces.system;
}

/** Why a cluster may not use a ProviderConfig, with a stable reason; undefined when it may. */
export interface ReachFault {
  readonly reason: "ForeignNamespace" | "ForeignTeam";
  readonly message: string;
}

/**
 * Whether a cluster may refer to a ProviderConfig, which is read with Butler's permissions: in the platform's namespace
 * or in the cluster's own, and not another team's.
 */
export function reachFault(
  key: ObjectKey,
  provider: ProviderConfig | undefined,
  { metadata, team }: { readonly metadata: TenantCluster["metadata"]; readonly team: string | undefined },
): ReachFault | undefined {
  const where = keyText(key);
  if (key.namespace !== namespaces.system && key.namespace !== metadata.namespace) {
    const message = `${where} is neither in ${namespaces.system} nor in the cluster's own namespace`;
    return { reason: "ForeignNamespace", message };
  }
  const scope = provider?.spec.scope;
  if (scope?.type !== "team" || (team !== undefined && scope.teamRef?.name === team)) return undefined;
  // The owner is not disclosed to other teams.
  const whom = team === undefined ? "a cluster without a team" : `team ${team}`;
  return { reason: "ForeignTeam", message: `${where} belongs to another team and is not available to ${whom}` };
}

/** Why a new cluster may not use a ProviderConfig that is being deleted. */
export function deletingProvider(where: string): string {
  return `ProviderConfig ${where} is being deleted and accepts no new clusters; choose another ProviderConfig`;
}

/**
 * Whether a team's list of allowed ProviderConfigs contains one. A plain name is that of a ProviderConfig of the
 * platform; others are listed as `namespace/name`, so that a team cannot create one with an allowed name.
 */
export function isAllowedProvider({ name, namespace }: ObjectKey, allowed: readonly string[] = []): boolean {
  if (allowed.length === 0) return true;
  const own = keyText({ name, namespace: namespace || namespaces.system });
  return allowed.some(
    (entry) => (entry.includes("/") ? entry : keyText({ name: entry, namespace: namespaces.system })) === own,
  );
}
