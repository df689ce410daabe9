import { addonFault, baselineAddons, type Restrictions } from "@butler/addons";
import { defaultKubernetesVersion, parseKubernetesVersion, type TenantCluster, upgradeFaultFrom } from "@butler/api";
import { isAllowedVersion } from "@butler/cluster-operations";
import { deniedFor } from "@butler/controller";
import type { Denial } from "@butler/kube";
import type { TenantClusterInput } from "./input.ts";

/** Validates versions and add-ons against the platform and the team's restrictions. Only changes are validated. */
export function restrictionDenials({ cluster, before, facts }: TenantClusterInput): Denial[] {
  const restrictions = facts.team?.spec.resourceLimits ?? {};
  return [
    ...versionDenials(cluster, before, restrictions),
    ...addonDenials(addonsOf(cluster, facts), before && addonsOf(before, facts), restrictions),
  ];
}

function versionDenials(
  cluster: TenantCluster,
  before: TenantCluster | undefined,
  { allowedKubernetesVersions: allowed = [] }: Restrictions,
): Denial[] {
  const version = versionOf(cluster);
  const running = before?.status?.observedState?.kubernetesVersion;
  const was = before && versionOf(before);
  if (was === version) return [];
  // An upgrade in progress counts from the running version: the previous upgrade may not have finished.
  const fault = upgradeFaultFrom([was, running], version);
  const notAllowed = `${version} is not in the team's allowedKubernetesVersions: ${allowed.join(", ")}`;
  return [
    ...deniedFor("INVALID", "spec.kubernetesVersion", fault),
    ...deniedFor("NOT_ALLOWED", "spec.kubernetesVersion", isAllowedVersion(version, allowed) ? undefined : notAllowed),
  ];
}

/** The Kubernetes version of a cluster's spec, in canonical form. */
export function versionOf({ spec }: TenantCluster): string {
  const version = spec.kubernetesVersion ?? defaultKubernetesVersion;
  return parseKubernetesVersion(version)?.text ?? version;
}

/** A baseline add-on of a cluster. */
interface NamedAddon {
  readonly path: string;
  readonly name: string;
  /** Whether the cluster gets it by default. */
  readonly isImplied: boolean;
}

function addonDenials(
  wanted: readonly NamedAddon[],
  before: readonly NamedAddon[] | undefined,
  restrictions: Restrictions,
): Denial[] {
  const present = new Set(before?.map(({ name }) => name));
  return wanted
    .filter(({ name }) => !present.has(name))
    .flatMap(({ path, name, isImplied }) =>
      deniedFor("NOT_ALLOWED", path, addonFault(name, restrictions, { isImplied })),
    );
}

/** The add-ons of a cluster by their catalog names. */
function addonsOf(cluster: TenantCluster, { provider, config }: TenantClusterInput["facts"]): NamedAddon[] {
  const providerType = provider?.spec.provider;
  return baselineAddons({ cluster, providerType, config, definitions: [] }).map(({ name, slot, isImplied }) => ({
    path: slot === undefined ? "spec.addons" : `spec.addons.${slot}`,
    name,
    isImplied,
  }));
}
