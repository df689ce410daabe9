import { borrowsCredentials, credentialsKeyOf, reachFault } from "@butler/access";
import {
  AddonDefinition,
  ButlerConfig,
  butlerConfigName,
  IPAllocation,
  NetworkPool,
  poolOrder,
  ProviderConfig,
  providerKeyOf,
  StewardControlPlane,
  Team,
  TenantAddon,
  type TenantCluster,
  TenantControlPlane,
} from "@butler/api";
import { Cluster, KubeadmConfigTemplate, Machine, MachineDeployment, MachineSet } from "@butler/api-external";
import type { CacheReader, ObserveContext } from "@butler/controller";
import { type MachineProvider, machineProviderOf, providerKinds } from "@butler/provider";
import { builtinKinds, keyOf, keyText, type Kind, type KubeObject, type ObjectKey } from "@butler/resource";
import { addonName } from "./addons/index.ts";
import { sourceOf, tenantNamespaceOf } from "./names.ts";
import type { Observed, ObservedProvider } from "./observed.ts";

/** The index of objects by the tenant cluster that they were created for. */
export const bySource = "tenant-cluster";

/** What the controller reads besides its caches. */
export interface TenantClusterPorts {
  /** The texts of a Secret; undefined when there is none. */
  readonly readSecret: (key: ObjectKey, signal: AbortSignal) => Promise<Readonly<Record<string, string>> | undefined>;
}

/** The values of the index `bySource`. */
export function sourceTexts(object: KubeObject): string[] {
  return sourceOf(object).map(keyText);
}

/** Reads the input of the plan. */
export async function observe(
  { primary, read, ports, signal }: ObserveContext<typeof TenantCluster, TenantClusterPorts>,
  machineProviders: readonly MachineProvider[],
): Promise<Observed> {
  const key = { name: primary.metadata.name, namespace: tenantNamespaceOf(primary) };
  const config = read.get(ButlerConfig, { name: butlerConfigName });
  const team = primary.spec.teamRef && read.get(Team, { name: primary.spec.teamRef.name });
  const own = <T>(kind: Kind): T[] => read.byIndex(kind, bySource, keyText(keyOf(primary))) as T[];
  const provider = await observeProvider(providerKeyOf(primary, { config, team }), primary, { read, ports, signal });
  const machines = provider.found && machineProviderOf(machineProviders, provider.found.spec.provider);
  const isProviderServed = machines !== undefined && providerKinds([machines]).every((kind) => read.isServed(kind));
  return {
    cluster: primary,
    config,
    team,
    provider,
    isProviderServed,
    namespace: read.get(builtinKinds.Namespace, { name: key.namespace }),
    capiCluster: read.get(Cluster, key) as Cluster | undefined,
    controlPlane: read.get(StewardControlPlane, key),
    tenantControlPlane: read.get(TenantControlPlane, key),
    deployments: own(MachineDeployment),
    machineSets: own(MachineSet),
    machines: own(Machine),
    templates: [
      ...own<KubeObject>(KubeadmConfigTemplate),
      ...(isProviderServed ? own<KubeObject>(machines.machineTemplateKind) : []),
    ],
    addons: own(TenantAddon),
    ...observeCatalog(primary, read),
    allocations: own(IPAllocation),
    pools: provider.found === undefined ? [] : observePools(provider.found, read),
  };
}

function observeCatalog(cluster: TenantCluster, read: CacheReader): Pick<Observed, "definitions" | "namesakes"> {
  const { name, namespace } = cluster.metadata;
  const definitions = read.list(AddonDefinition);
  const namesakes = definitions
    .flatMap(({ metadata }) => read.get(TenantAddon, { name: addonName(cluster, metadata.name), namespace }) ?? [])
    .filter(({ spec }) => spec.clusterRef.name !== name);
  return { definitions, namesakes };
}

function observePools(provider: ProviderConfig, read: CacheReader): NetworkPool[] {
  const { namespace } = provider.metadata;
  return poolOrder(provider).flatMap((name) => read.get(NetworkPool, { name, namespace }) ?? []);
}

interface Reading {
  readonly read: CacheReader;
  readonly ports: TenantClusterPorts;
  readonly signal: AbortSignal;
}

async function observeProvider(
  key: ObjectKey | undefined,
  { metadata, spec }: TenantCluster,
  { read, ports, signal }: Reading,
): Promise<ObservedProvider> {
  const found = key && read.get(ProviderConfig, key);
  const secret = found && credentialsKeyOf(found);
  if (found === undefined || secret === undefined) return { key, found, credentials: {} };
  // Admission rejects both; an object that got past it must not have its Secret copied.
  const isForeign =
    borrowsCredentials(found) || reachFault(keyOf(found), found, { metadata, team: spec.teamRef?.name }) !== undefined;
  return { key, found, credentials: isForeign ? undefined : await ports.readSecret(secret, signal) };
}

/** The cluster that an add-on is for. */
export function clusterOfAddon({ metadata, spec }: TenantAddon): ObjectKey {
  return { name: spec.clusterRef.name, namespace: metadata.namespace };
}

/** The cluster that addresses are for. */
export function clusterOfAllocation({ spec }: IPAllocation): ObjectKey {
  return { name: spec.tenantClusterRef.name, namespace: spec.tenantClusterRef.namespace };
}
