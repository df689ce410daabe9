import { issuerAnnotation, memberRoleOf, resolveTeams, type TeamMembership } from "@butler/access";
import {
  type ButlerConfig,
  butlerConfigName,
  type IPAllocation,
  labels,
  type Team,
  type TenantAddon,
  type TenantCluster,
  type User,
} from "@butler/api";
import { CacheSet, type CacheSetOptions, type Informer, type KubeClient } from "@butler/kube";
import { builtinKinds, type DynamicObject, keyOf, keyText, type ObjectKey } from "@butler/resource";
import { isRecord } from "@butler/std";
import type { SignedIn } from "../ports.ts";
import { type CachedName, cachedKinds } from "./kinds.ts";

/** The cache of a kind. */
type Cached<Name extends CachedName> = Informer<(typeof cachedKinds)[Name]>;

/** Names of the indexes. */
const index = { team: "team", cluster: "cluster", pool: "pool", namespace: "namespace", email: "email" } as const;

/**
 * All objects that the server reads, kept in memory by watches: reading a list costs no call of the Kubernetes API, and
 * changes by others are visible within milliseconds.
 */
export class ServerState {
  readonly caches: CacheSet;
  readonly clusters: Cached<"clusters">;
  readonly addons: Cached<"addons">;
  readonly definitions: Cached<"definitions">;
  readonly teams: Cached<"teams">;
  readonly users: Cached<"users">;
  readonly providers: Cached<"providers">;
  readonly pools: Cached<"pools">;
  readonly allocations: Cached<"allocations">;
  readonly identityProviders: Cached<"identityProviders">;
  readonly configs: Cached<"configs">;
  readonly policies: Cached<"policies">;
  readonly controlPlanes: Cached<"controlPlanes">;
  readonly dataStores: Cached<"dataStores">;
  readonly events: Informer<typeof builtinKinds.Event>;

  constructor(client: KubeClient, options: CacheSetOptions = {}) {
    const caches = new CacheSet(client, options);
    this.caches = caches;
    this.clusters = caches.of(cachedKinds.clusters);
    this.addons = caches.of(cachedKinds.addons);
    this.definitions = caches.of(cachedKinds.definitions);
    this.teams = caches.of(cachedKinds.teams);
    this.users = caches.of(cachedKinds.users);
    this.providers = caches.of(cachedKinds.providers);
    this.pools = caches.of(cachedKinds.pools);
    this.allocations = caches.of(cachedKinds.allocations);
    this.identityProviders = caches.of(cachedKinds.identityProviders);
    this.configs = caches.of(cachedKinds.configs);
    this.policies = caches.of(cachedKinds.policies);
    this.controlPlanes = caches.of(cachedKinds.controlPlanes);
    this.dataStores = caches.of(cachedKinds.dataStores);
    this.events = caches.of(builtinKinds.Event);
    this.clusters.addIndex(index.team, ({ spec }) => (spec.teamRef === undefined ? [] : [spec.teamRef.name]));
    this.addons.addIndex(index.cluster, ({ metadata, spec }) => [
      keyText({ namespace: metadata.namespace, name: spec.clusterRef.name }),
    ]);
    this.allocations.addIndex(index.pool, ({ metadata, spec }) => [
      keyText({ namespace: metadata.namespace, name: spec.poolRef.name }),
    ]);
    this.allocations.addIndex(index.cluster, ({ spec }) => [keyText(spec.tenantClusterRef)]);
    this.events.addIndex(index.namespace, eventNamespaces);
    this.users.addIndex(index.email, ({ spec }) => [spec.email.trim().toLowerCase()]);
  }

  /** Fills the caches and waits until each has its first list, or the signal aborts. */
  start(signal: AbortSignal): Promise<void> {
    return this.caches.start(signal);
  }

  get isReady(): boolean {
    return this.caches.isHealthy;
  }

  get config(): ButlerConfig | undefined {
    return this.configs.get({ name: butlerConfigName });
  }

  /** The team of a cluster, if it exists. The cluster's namespace does not matter. */
  teamOf({ spec }: TenantCluster): Team | undefined {
    return spec.teamRef && this.teams.get({ name: spec.teamRef.name });
  }

  clustersOf(team: string): TenantCluster[] {
    return this.clusters.byIndex(index.team, team);
  }

  addonsOf(cluster: TenantCluster): TenantAddon[] {
    return this.addons.byIndex(index.cluster, keyText(keyOf(cluster)));
  }

  allocationsFor(cluster: TenantCluster): IPAllocation[] {
    return this.allocations.byIndex(index.cluster, keyText(keyOf(cluster)));
  }

  allocationsOf(pool: ObjectKey): IPAllocation[] {
    return this.allocations.byIndex(index.pool, keyText(pool));
  }

  eventsIn(namespace: string): DynamicObject[] {
    return this.events.byIndex(index.namespace, namespace);
  }

  accountsOf(email: string): User[] {
    return this.users.byIndex(index.email, email.trim().toLowerCase());
  }

  /** Whether the provider of an account still exists and has the same issuer. */
  isProviderThere({ metadata, spec }: User): boolean {
    if (spec.authType !== "sso" || !spec.ssoProvider) return true;
    const issuer = this.identityProviders.get({ name: spec.ssoProvider })?.spec.oidc?.issuerURL;
    return issuer !== undefined && (metadata.annotations?.[issuerAnnotation] ?? issuer) === issuer;
  }

  /** Current teams of a user, by name. */
  membershipsOf({ person }: SignedIn): TeamMembership[] {
    return resolveTeams(person, this.teams.list());
  }

  /** Teams of which a user can see anything, even a single environment; undefined for all. */
  visibleTeams({ person, platformRole }: SignedIn): Set<string> | undefined {
    if (platformRole !== undefined) return undefined;
    const own = this.teams.list().filter((team) => memberRoleOf(team, person) !== undefined);
    return new Set(own.map(({ metadata }) => metadata.name));
  }

  /** Clusters that a user can see. Clusters without a team are visible to users with a platform role only. */
  visibleClusters(caller: SignedIn): TenantCluster[] {
    const teams = this.visibleTeams(caller);
    return teams === undefined ? this.clusters.list() : [...teams].flatMap((team) => this.clustersOf(team));
  }

  /** The environment that a cluster is in. */
  environmentOf({ metadata }: TenantCluster): string | undefined {
    return metadata.labels?.[labels.environment];
  }
}

/** Events are indexed by their own namespace and by that of their object. */
function eventNamespaces(event: DynamicObject): string[] {
  const involved = event["involvedObject"];
  const about = isRecord(involved) && typeof involved["namespace"] === "string" ? involved["namespace"] : "";
  return [...new Set([event.metadata.namespace ?? "", about])].filter((namespace) => namespace !== "");
}
