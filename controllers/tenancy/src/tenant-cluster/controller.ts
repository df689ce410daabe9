import {
  AddonDefinition,
  ButlerConfig,
  finalizers,
  IPAllocation,
  NetworkPool,
  poolOrder,
  ProviderConfig,
  StewardControlPlane,
  Team,
  TenantAddon,
  TenantCluster,
  TenantControlPlane,
} from "@butler/api";
import { Cluster, KubeadmConfigTemplate, Machine, MachineDeployment, MachineSet } from "@butler/api-external";
import {
  type CacheReader,
  type ControllerDefinition,
  defineController,
  type OwnedKind,
  specAndConditions,
  via,
  viaChanges,
  viaSpec,
} from "@butler/controller";
import { type MachineProvider, providerKinds } from "@butler/provider";
import {
  builtinKinds,
  isConditionTrue,
  keyOf,
  keyText,
  type Kind,
  type KubeObject,
  type ObjectKey,
} from "@butler/resource";
import { ofTenantClusters, sourceOf, tenantNamespaceOf } from "./names.ts";
import {
  bySource,
  clusterOfAddon,
  clusterOfAllocation,
  observe,
  sourceTexts,
  type TenantClusterPorts,
} from "./observe.ts";
import type { Observed } from "./observed.ts";
import { planTenantCluster } from "./plan.ts";

/** The index of tenant clusters by the namespace of their own objects. */
const byOwnNamespace = "own-namespace";

/** What the controller supports. */
export interface TenantClusterControllerOptions {
  /** Every supported infrastructure, whether or not it is installed. */
  readonly machineProviders: readonly MachineProvider[];
}

/** Kinds of Cluster API. Tenant clusters require all of them, and wait while one is not installed. */
export const clusterApiKinds: readonly Kind[] = [
  Cluster,
  Machine,
  MachineDeployment,
  MachineSet,
  KubeadmConfigTemplate,
];

/** Creates Cluster API objects for TenantClusters and reports their status. */
export function tenantClusterController({
  machineProviders,
}: TenantClusterControllerOptions): ControllerDefinition<typeof TenantCluster, Observed, never, TenantClusterPorts> {
  const infrastructureKinds = providerKinds(machineProviders);
  const made: readonly Kind[] = [
    builtinKinds.Namespace,
    builtinKinds.Role,
    builtinKinds.RoleBinding,
    builtinKinds.Secret,
    Cluster,
    MachineDeployment,
    KubeadmConfigTemplate,
    StewardControlPlane,
    ...infrastructureKinds,
  ];
  const scoped = (kind: Kind): OwnedKind => ({ kind, scope: ofTenantClusters });
  const indexed: readonly Kind[] = [
    MachineDeployment,
    MachineSet,
    Machine,
    KubeadmConfigTemplate,
    ...infrastructureKinds,
  ];
  return defineController<typeof TenantCluster, Observed, never, TenantClusterPorts>({
    name: "tenant-cluster",
    primary: TenantCluster,
    owns: [
      ...made.map(scoped),
      // Created by Cluster API; deleted here when they can never become nodes.
      scoped(Machine),
      { kind: TenantAddon },
      { kind: IPAllocation },
    ],
    watches: [
      ...[...made, MachineSet, Machine].map((kind) => via(kind, sourceOf, ofTenantClusters)),
      via(TenantControlPlane, (object, read) => ofNamespace(object, read)),
      via(TenantAddon, (addon) => [clusterOfAddon(addon)]),
      via(IPAllocation, (allocation) => [clusterOfAllocation(allocation)]),
      via(NetworkPool, (pool, read) => clustersOfPool(pool, read)),
      viaSpec(AddonDefinition, (_definition, read) => read.list(TenantCluster).map(keyOf)),
      viaSpec(ButlerConfig, (_config, read) => read.list(TenantCluster).map(keyOf)),
      viaSpec(Team, ({ metadata }, read) => clustersOf(read, ({ spec }) => spec.teamRef?.name === metadata.name)),
      viaChanges(ProviderConfig, {
        // Its conditions report whether its credentials are valid; the number of available addresses does not matter
        // here.
        of: specAndConditions,
        map: ({ metadata }, read) => clustersOf(read, (cluster) => mayUse(cluster, metadata.name)),
      }),
    ],
    indexes: [
      ...indexed.map((kind) => ({ kind, name: bySource, of: sourceTexts })),
      { kind: TenantAddon, name: bySource, of: (object) => [keyText(clusterOfAddon(object as TenantAddon))] },
      { kind: IPAllocation, name: bySource, of: (object) => [keyText(clusterOfAllocation(object as IPAllocation))] },
      { kind: TenantCluster, name: byOwnNamespace, of: (object) => [tenantNamespaceOf(object as TenantCluster)] },
    ],
    permissions: [{ apiGroups: [""], resources: ["secrets"], verbs: ["get"] }],
    finalizer: finalizers.tenantCluster,
    concurrency: 8,
    observe: (context) => observe(context, machineProviders),
    plan: (observed, now) => planTenantCluster(observed, now, machineProviders),
    perform: {},
  });
}

function ofNamespace({ metadata }: KubeObject, read: CacheReader): ObjectKey[] {
  return read.byIndex(TenantCluster, byOwnNamespace, metadata.namespace ?? "").map(keyOf);
}

function clustersOf(read: CacheReader, isConcerned: (cluster: TenantCluster) => boolean): ObjectKey[] {
  return read.list(TenantCluster).filter(isConcerned).map(keyOf);
}

/** Only clusters without addresses depend on the capacity of a pool. */
function clustersOfPool({ metadata }: NetworkPool, read: CacheReader): ObjectKey[] {
  const providers = read.list(ProviderConfig).filter((provider) => poolOrder(provider).includes(metadata.name));
  const names = new Set(providers.map((provider) => provider.metadata.name));
  return clustersOf(
    read,
    (cluster) =>
      !isConditionTrue(cluster.status?.conditions, "NetworkReady") &&
      [...names].some((provider) => mayUse(cluster, provider)),
  );
}

/** A cluster without a provider uses its team's or the platform's, which may be any. */
function mayUse({ spec }: TenantCluster, provider: string): boolean {
  return spec.providerConfigRef === undefined || spec.providerConfigRef.name === provider;
}
