import {
  annotations,
  ButlerConfig,
  ClusterCreationPolicy,
  labels,
  namespaces,
  ProviderConfig,
  Team,
  TenantCluster,
  User,
} from "@butler/api";
import { type ObjectMeta, type ObjectOf, parseObject, type Resource } from "@butler/resource";
import type { TenantClusterFacts, TenantClusterInput } from "../tenant-cluster/input.ts";

type Plain = Readonly<Record<string, unknown>>;

/** The fields of an object that a test sets; all others have arbitrary values. */
export interface Traits {
  readonly metadata?: Partial<ObjectMeta>;
  readonly spec?: Plain;
  readonly status?: Plain;
}

function built<R extends Resource>(resource: R, metadata: ObjectMeta, { metadata: own, ...body }: Traits): ObjectOf<R> {
  const { apiVersion, kind } = resource;
  return parseObject(resource, { apiVersion, kind, metadata: { ...metadata, ...own }, ...body });
}

/** The requester in tests. */
export const ada = "ada@example.com";

/** Limits of a team that allow nothing. */
export const noCapacity = {
  maxClusters: 0,
  maxTotalNodes: 0,
  maxNodesPerCluster: 0,
  maxCPUCores: 0,
  maxMemory: 0,
  maxStorage: 0,
};

/** A cluster of team payments, as the mutating webhook leaves it. */
export function aCluster({ metadata = {}, spec = {}, status }: Traits = {}): TenantCluster {
  const { labels: ownLabels, annotations: ownAnnotations, ...rest } = metadata;
  return built(
    TenantCluster,
    {
      name: "shop",
      namespace: "payments",
      uid: "uid-of-shop",
      resourceVersion: "1",
      labels: { [labels.environment]: "dev", ...ownLabels },
      annotations: { [annotations.creatorEmail]: ada, [annotations.owner]: ada, ...ownAnnotations },
    },
    {
      metadata: rest,
      spec: {
        kubernetesVersion: "v1.35.2",
        teamRef: { name: "payments" },
        providerConfigRef: { name: "harvester" },
        ...spec,
        workers: { replicas: 3, ...(spec["workers"] as Plain | undefined) },
      },
      ...(status === undefined ? {} : { status }),
    },
  );
}

/** Team payments, with the environments dev and prod. */
export function aTeam({ metadata = {}, spec = {}, status = { phase: "Ready" } }: Traits = {}): Team {
  const access = {
    users: [
      { name: ada, role: "admin" },
      { name: "bob@example.com", role: "operator" },
    ],
  };
  const environments = [{ name: "dev" }, { name: "prod" }];
  return built(Team, { name: "payments" }, { metadata, spec: { access, environments, ...spec }, status });
}

/** The platform's settings, with tenancy Enforced. */
export function aConfig(spec: Plain = {}): ButlerConfig {
  return built(ButlerConfig, { name: "butler" }, { spec: { multiTenancy: { mode: "Enforced" }, ...spec } });
}

/** A Harvester of the platform. */
export function aProvider({ metadata = {}, spec = {} }: Traits = {}): ProviderConfig {
  return built(
    ProviderConfig,
    { name: "harvester", namespace: namespaces.system },
    {
      metadata,
      spec: {
        provider: "harvester",
        credentialsRef: { name: "harvester" },
        harvester: { networkName: "default/vlan40", imageName: "default/rocky" },
        ...spec,
      },
    },
  );
}

/** A policy for all teams. */
export function aPolicy({ metadata = {}, spec = {} }: Traits = {}): ClusterCreationPolicy {
  const options = { image: { mode: "pin", values: ["default/rocky"] } };
  return built(
    ClusterCreationPolicy,
    { name: "images" },
    { metadata, spec: { scope: { clusterWide: {} }, options, ...spec } },
  );
}

/** A user account. */
export function aUser({ metadata = {}, spec = {} }: Traits = {}): User {
  return built(User, { name: "ada" }, { metadata, spec: { email: ada, ...spec } });
}

/** The facts for validating a cluster of team payments. */
export function clusterFacts(facts: Partial<TenantClusterFacts> = {}): TenantClusterFacts {
  const providerKey = { name: "harvester", namespace: namespaces.system };
  return {
    config: aConfig(),
    team: aTeam(),
    providerKey,
    provider: aProvider(),
    policies: [],
    dataStore: undefined,
    addons: [],
    definitions: [],
    ...facts,
  };
}

/** A request from Ada to create a cluster. */
export function clusterInput(input: Partial<TenantClusterInput> = {}): TenantClusterInput {
  return {
    cluster: aCluster(),
    before: undefined,
    requester: { username: ada, isTrusted: false },
    facts: clusterFacts(),
    supportedSystems: { harvester: ["rocky"], nutanix: ["rocky"], local: ["rocky"] },
    ...input,
  };
}
