import { deletingProvider, isAllowedProvider, reachFault } from "@butler/access";
import { localProviderFault, mainPoolName, namespaces, type MachineTemplate, type TenantCluster } from "@butler/api";
import { denied, deniedFor } from "@butler/controller";
import type { Denial } from "@butler/kube";
import { isBeingDeleted, keyText, type ObjectKey } from "@butler/resource";
import type { TenantClusterInput } from "./input.ts";

const path = "spec.providerConfigRef";

/** Whether a cluster may use its provider, and whether the provider supports the operating systems of its machines. */
export function providerDenials(input: TenantClusterInput): Denial[] {
  const { before, facts } = input;
  const isSame = before !== undefined && isSameProvider(input);
  const moved = before?.spec.providerConfigRef !== undefined && !isSame;
  if (moved) {
    const was = keyText(keyOfReference(before));
    return denied("IMMUTABLE", path, `is ${was} and cannot be changed: machines cannot move to another provider`);
  }
  if (isSame) return systemDenials(input);
  if (facts.providerKey === undefined) {
    return denied("REQUIRED", path, "is required: no ProviderConfig is set on the team or the platform");
  }
  const reach = reachDenials(input, facts.providerKey);
  return reach.length > 0 ? reach : systemDenials(input);
}

function keyOfReference({ spec }: TenantCluster): ObjectKey {
  const { name = "", namespace } = spec.providerConfigRef ?? {};
  return { name, namespace: namespace || namespaces.system };
}

function isSameProvider({ cluster, before }: TenantClusterInput): boolean {
  if (before === undefined) return false;
  return keyText(keyOfReference(before)) === keyText(keyOfReference(cluster));
}

/**
 * A reference is resolved with Butler's permissions, so it may only refer to providers available to the cluster's team.
 */
function reachDenials({ cluster, facts }: TenantClusterInput, key: ObjectKey): Denial[] {
  const { provider, team, config } = facts;
  const where = keyText(key);
  const fault = reachFault(key, provider, { metadata: cluster.metadata, team: team?.metadata.name });
  if (fault?.reason === "ForeignNamespace") return denied("NOT_ALLOWED", `${path}.namespace`, fault.message);
  if (provider === undefined) return denied("NOT_FOUND", path, `ProviderConfig ${where} not found`);
  const { allowedProviders = [] } = team?.spec.resourceLimits ?? {};
  const isAllowed = isAllowedProvider(key, allowedProviders);
  const notAllowed = `${where} is not in the team's allowedProviders: ${allowedProviders.join(", ")}`;
  return [
    ...deniedFor("NOT_ALLOWED", path, fault?.message),
    ...deniedFor("NOT_ALLOWED", path, isAllowed ? undefined : notAllowed),
    ...deniedFor("NOT_ALLOWED", path, localProviderFault(provider, config)?.message),
    ...deniedFor("NOT_ALLOWED", path, isBeingDeleted(provider) ? deletingProvider(where) : undefined),
  ];
}

interface NamedTemplate {
  readonly name: string;
  readonly path: string;
  readonly template: MachineTemplate;
}

/** The machine templates of a cluster by pool, with their field paths. */
export function templatesOf({ spec }: TenantCluster): NamedTemplate[] {
  const pools = (spec.workerPools ?? []).map(({ name, machineTemplate }, at) => ({
    name,
    path: `spec.workerPools[${at}].machineTemplate`,
    template: machineTemplate,
  }));
  return [
    { name: mainPoolName, path: "spec.workers.machineTemplate", template: spec.workers.machineTemplate },
    ...pools,
  ];
}

function systemDenials({ cluster, before, facts, supportedSystems }: TenantClusterInput): Denial[] {
  const { provider } = facts;
  if (provider === undefined) return [];
  const infrastructure = provider.spec.provider;
  const systems = supportedSystems[infrastructure] ?? [];
  if (systems.length === 0) {
    if (before !== undefined) return [];
    return denied("UNSUPPORTED", path, `clusters on ${infrastructure} are unsupported in this release`);
  }
  const known = new Map(
    before === undefined ? [] : templatesOf(before).map((each) => [each.name, each.template.os.type]),
  );
  return templatesOf(cluster)
    .filter(({ name, template }) => known.get(name) !== template.os.type && !systems.includes(template.os.type))
    .flatMap((pool) => {
      const pair = `${pool.template.os.type} on ${infrastructure} is unsupported`;
      return denied("UNSUPPORTED", `${pool.path}.os.type`, `${pair}; choose ${systems.join(" or ")}`);
    });
}
