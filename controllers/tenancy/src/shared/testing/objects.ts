import {
  ButlerConfig,
  ClusterCreationPolicy,
  IdentityProvider,
  NetworkPool,
  ProviderConfig,
  Team,
  TenantCluster,
  User,
} from "@butler/api";
import { apiVersionOf, type ObjectMeta, type ObjectOf, parseObject, type Resource } from "@butler/resource";

/** The fields of an object that a test sets; all others have arbitrary values. */
interface Traits extends Partial<ObjectMeta> {
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly status?: Readonly<Record<string, unknown>>;
}

/** An object of a kind as the API server would return it, with defaults. */
function made<R extends Resource>(
  resource: R,
  base: { readonly metadata: ObjectMeta; readonly spec: object },
  { spec, status, ...metadata }: Traits,
): ObjectOf<R> {
  const { name } = { ...base.metadata, ...metadata };
  return parseObject(resource, {
    apiVersion: apiVersionOf(resource),
    kind: resource.kind,
    metadata: { ...base.metadata, uid: `uid-of-${name}`, generation: 1, ...metadata },
    spec: { ...base.spec, ...spec },
    ...(status === undefined ? {} : { status }),
  });
}

/** Team `payments` without members. */
export function aTeam(traits: Traits = {}): Team {
  return made(Team, { metadata: { name: "payments" }, spec: {} }, traits);
}

/** Cluster `shop` of team `payments`: 2 workers with 4 cores, 16Gi of memory and 100Gi of disk each. */
export function aCluster(traits: Traits = {}): TenantCluster {
  const spec = { teamRef: { name: "payments" }, workers: { replicas: 2 } };
  return made(TenantCluster, { metadata: { name: "shop", namespace: "payments" }, spec }, traits);
}

/** The settings of a platform where every cluster belongs to a team. */
export function aButlerConfig(traits: Traits = {}): ButlerConfig {
  return made(ButlerConfig, { metadata: { name: "butler" }, spec: { multiTenancy: { mode: "Enforced" } } }, traits);
}

/** ProviderConfig `harvester`, whose credentials are in the Secret of the same name. */
export function aProviderConfig(traits: Traits = {}): ProviderConfig {
  const spec = {
    provider: "harvester",
    credentialsRef: { name: "harvester" },
    harvester: { networkName: "default/vlan40", imageName: "default/rocky" },
  };
  return made(ProviderConfig, { metadata: { name: "harvester", namespace: "butler-system" }, spec }, traits);
}

/** IdentityProvider `company`, whose client secret is in the Secret of the same name. */
export function anIdentityProvider(traits: Traits = {}): IdentityProvider {
  const oidc = {
    issuerURL: "https://login.example.com",
    clientID: "butler",
    clientSecretRef: { name: "company" },
    redirectURL: "https://butler.example.com/api/auth/callback",
    ...(traits.spec?.["oidc"] as object | undefined),
  };
  return made(
    IdentityProvider,
    { metadata: { name: "company" }, spec: {} },
    { ...traits, spec: { type: "oidc", oidc } },
  );
}

/** NetworkPool `datacenter`, counted when a number of free addresses is given. */
export function aNetworkPool(availableIPs?: number, traits: Traits = {}): NetworkPool {
  const status = availableIPs === undefined ? {} : { status: { availableIPs } };
  const base = { metadata: { name: "datacenter", namespace: "butler-system" }, spec: { cidr: "10.40.0.0/16" } };
  return made(NetworkPool, base, { ...status, ...traits });
}

/** The account of Ada, who signs in through an identity provider. */
export function aUser(traits: Traits = {}): User {
  const spec = { email: "ada@example.com", authType: "sso", ssoProvider: "corporate" };
  return made(User, { metadata: { name: "ada" }, spec }, traits);
}

/** A policy for every team that pins the image. */
export function aPolicy(traits: Traits = {}): ClusterCreationPolicy {
  const spec = { scope: { clusterWide: {} }, options: { image: { mode: "pin", values: ["default/rocky"] } } };
  return made(ClusterCreationPolicy, { metadata: { name: "images" }, spec }, traits);
}
