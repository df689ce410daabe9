import { annotations, type ButlerConfig, namespaces, type Team, TenantCluster } from "@butler/api";
import type { ObjectMeta } from "@butler/resource";
import { environmentOf } from "./environment.ts";
import type { ClusterRequester } from "./input.ts";
import { type Decided, type DecidedValues, decideValues, defaultAddonsOf, type Presets } from "./default-values.ts";
import { tenancyOf } from "./tenancy.ts";

/** The input for defaulting a cluster. */
export interface DefaultingInput {
  /** The cluster as sent; it may not have a name yet, and may be invalid. */
  readonly cluster: TenantCluster;
  readonly before: TenantCluster | undefined;
  readonly requester: ClusterRequester;
  readonly namespace: string;
  readonly config: ButlerConfig | undefined;
  /** The team that the cluster refers to, or in whose namespace it is. */
  readonly team: Team | undefined;
}

type Spec = TenantCluster["spec"];

/**
 * The cluster with defaults for all unset fields, applied once: a preset that changes later affects no existing
 * cluster. In an update, a defaulted field that is unset keeps its value.
 */
export function defaultTenantCluster(input: DefaultingInput): TenantCluster {
  const { cluster, before } = input;
  // The API server rejects what violates the schema, with the field and the reason.
  if (!TenantCluster.spec.safeParse(cluster.spec).success) return cluster;
  return before === undefined ? newCluster(input) : keptCluster(cluster, before);
}

function newCluster(input: DefaultingInput): TenantCluster {
  const { cluster, config, team } = input;
  const presets: Presets = { team, environment: environmentOf(cluster), config };
  const values = decideValues(cluster, presets);
  const provider = decideProvider(cluster, presets);
  const addons = withDefaultAddons(cluster.spec.addons, presets);
  const hasTeam = cluster.spec.teamRef === undefined && tenancyOf({ config }).mode !== "Disabled";
  const spec: Spec = {
    ...cluster.spec,
    ...(hasTeam && team !== undefined ? { teamRef: { name: team.metadata.name } } : {}),
    kubernetesVersion: values.kubernetesVersion.value,
    ...(provider === undefined ? {} : { providerConfigRef: provider.value }),
    workers: withSizes(cluster.spec.workers, values),
    addons: addons.value,
  };
  const origins = { ...originsOf(values, provider), ...addons.origins };
  return { ...cluster, metadata: withNotes(input, origins), spec };
}

function withSizes(workers: Spec["workers"], { replicas, cpu, memory, diskSize }: DecidedValues): Spec["workers"] {
  const sizes = { cpu: cpu.value, memory: memory.value, diskSize: diskSize.value };
  return { ...workers, replicas: replicas.value, machineTemplate: { ...workers.machineTemplate, ...sizes } };
}

type Reference = NonNullable<Spec["providerConfigRef"]>;

function decideProvider({ spec }: TenantCluster, { team, config }: Presets): Decided<Reference> | undefined {
  const namespace = namespaces.system;
  if (spec.providerConfigRef !== undefined) return { value: spec.providerConfigRef, from: "cluster" };
  const [ofTeam, ofPlatform] = [team?.spec.providerConfigRef, config?.spec.defaultProviderConfigRef];
  if (ofTeam !== undefined) return { value: { name: ofTeam.name, namespace }, from: "team" };
  return ofPlatform && { value: { name: ofPlatform.name, namespace }, from: "platform" };
}

type Origins = Readonly<Record<string, Decided<unknown>>>;
type Addons = Spec["addons"];

/**
 * Default add-ons with a field in the spec are written there when it is unset and their version is known; the
 * others are recorded in an annotation that the add-on installer reads.
 */
function withDefaultAddons(addons: Addons, presets: Presets): { value: Addons; origins: Origins } {
  const versions = presets.config?.spec.defaultAddonVersions ?? {};
  const named = defaultAddonsOf(presets);
  const value = named.reduce<Addons>((given, { value: name }) => ({ ...addonBlock(name, versions), ...given }), addons);
  const origins = Object.fromEntries(named.map((addon) => [`spec.addons[${addon.value}]`, addon]));
  return { value, origins };
}

type Versions = NonNullable<ButlerConfig["spec"]["defaultAddonVersions"]>;

function addonBlock(name: string, versions: Partial<Versions>): Partial<Addons> {
  const { certManager = "", longhorn = "", cilium = "", metallb = "" } = versions;
  const blocks: Readonly<Record<string, Partial<Addons>>> = {
    traefik: { ingress: { enabled: true, provider: "traefik" } },
    nginx: { ingress: { enabled: true, provider: "nginx" } },
    fluxcd: { gitops: { provider: "fluxcd" } },
    argocd: { gitops: { provider: "argocd" } },
    "cert-manager": { certManager: { enabled: true, version: certManager } },
    longhorn: { storage: { provider: "longhorn", version: longhorn } },
    cilium: { cni: { provider: "cilium", version: cilium } },
    metallb: { loadBalancer: { provider: "metallb", version: metallb } },
  };
  const block = Object.hasOwn(blocks, name) ? (blocks[name] ?? {}) : {};
  const isVersionMissing = Object.values(block).some((given) => given?.version === "");
  return isVersionMissing ? {} : block;
}

function originsOf(values: DecidedValues, provider: Decided<Reference> | undefined): Origins {
  return {
    "spec.kubernetesVersion": values.kubernetesVersion,
    "spec.workers.replicas": values.replicas,
    "spec.workers.machineTemplate.cpu": values.cpu,
    "spec.workers.machineTemplate.memory": values.memory,
    "spec.workers.machineTemplate.diskSize": values.diskSize,
    ...(provider === undefined
      ? {}
      : { "spec.providerConfigRef.name": { value: provider.value.name, from: provider.from } }),
  };
}

/** The creator is the authenticated user. A different value in the request is kept, so that validation rejects it. */
function withNotes({ cluster, requester, namespace }: DefaultingInput, origins: Origins): ObjectMeta {
  const given = cluster.metadata.annotations ?? {};
  const creator = given[annotations.creatorEmail] ?? requester.username;
  return {
    ...cluster.metadata,
    namespace,
    annotations: {
      ...given,
      [annotations.creatorEmail]: creator,
      [annotations.owner]: given[annotations.owner] ?? creator,
      [annotations.valueOrigins]: JSON.stringify(origins),
    },
  };
}

const keptAnnotations = [annotations.creatorEmail, annotations.owner, annotations.valueOrigins];
/** Value origins cannot be changed by users: add-ons are created from them. */
const fixedAnnotations = [annotations.valueOrigins];

function keptCluster(cluster: TenantCluster, before: TenantCluster): TenantCluster {
  const { spec, metadata } = cluster;
  const was = before.spec;
  const earlier = Object.entries(before.metadata.annotations ?? {});
  const kept = earlier.filter(([name]) => keptAnnotations.some((each) => each === name));
  const fixed = earlier.filter(([name]) => fixedAnnotations.some((each) => each === name));
  const machine = { ...spec.workers.machineTemplate };
  const old = was.workers.machineTemplate;
  return {
    ...cluster,
    metadata: {
      ...metadata,
      ...(kept.length === 0
        ? {}
        : { annotations: { ...Object.fromEntries(kept), ...metadata.annotations, ...Object.fromEntries(fixed) } }),
    },
    spec: {
      ...spec,
      teamRef: spec.teamRef ?? was.teamRef,
      kubernetesVersion: spec.kubernetesVersion ?? was.kubernetesVersion,
      providerConfigRef: spec.providerConfigRef ?? was.providerConfigRef,
      workers: {
        ...spec.workers,
        replicas: spec.workers.replicas ?? was.workers.replicas,
        machineTemplate: {
          ...machine,
          cpu: machine.cpu ?? old.cpu,
          memory: machine.memory ?? old.memory,
          diskSize: machine.diskSize ?? old.diskSize,
        },
      },
    },
  };
}
