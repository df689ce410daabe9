import { allocationRoles, annotations, type IPAllocation, labels, ProviderConfig } from "@butler/api";
import { apiVersionOf, parseObject } from "@butler/resource";
import { activeStatus, aClaim, aCluster, allocatedStatus, aPool } from "../../testing/objects.ts";
import type { IPAddressPool, L2Advertisement, Service } from "../kinds.ts";
import { metalLbObjects, type MetalLbView } from "../metallb.ts";
import type { Observed, TenantView } from "../observed.ts";

/** The current time of tests without their own clock. */
export const now = new Date("2026-01-01T12:00:00Z");

/** A time this many seconds earlier. */
export const ago = (seconds: number): string => new Date(now.getTime() - seconds * 1_000).toISOString();

interface ServiceTraits {
  readonly ip?: string | undefined;
  readonly spec?: Service["spec"];
  readonly annotations?: Record<string, string>;
  readonly hostname?: string;
  readonly isGoing?: boolean;
}

/** A Service of type LoadBalancer; names are in order of age. */
export function aService(name: string, traits: ServiceTraits = {}): Service {
  const { ip, hostname, spec, annotations: notes, isGoing = false } = traits;
  const ingress = [...(ip === undefined ? [] : [{ ip }]), ...(hostname === undefined ? [] : [{ hostname }])];
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: {
      name,
      namespace: "default",
      uid: `uid-of-${name}`,
      resourceVersion: "7",
      ...(notes === undefined ? {} : { annotations: notes }),
      ...(isGoing ? { deletionTimestamp: ago(1) } : {}),
    },
    spec: { type: "LoadBalancer", ...spec },
    ...(ingress.length === 0 ? {} : { status: { loadBalancer: { ingress } } }),
  };
}

/** The initial claim of a cluster. */
export function anInitial(start: string, end: string, name = "shop-lb"): IPAllocation {
  const role = { [labels.allocationRole]: allocationRoles.initial };
  return aClaim({ name, labels: role, status: allocatedStatus(start, end) });
}

/** An additional claim, created for waiting Services; without addresses while pending. */
export function aGrowth(
  name: string,
  traits: { range?: [string, string]; unusedSince?: string; reason?: string } = {},
) {
  const { range, unusedSince, reason } = traits;
  const conditions = activeStatus.conditions.map((ready) => ({ ...ready, status: "False", reason }));
  return aClaim({
    name,
    labels: { [labels.allocationRole]: allocationRoles.growth },
    spec: { count: 2 },
    ...(unusedSince === undefined ? {} : { annotations: { [annotations.unusedSince]: unusedSince } }),
    ...(range === undefined ? {} : { status: allocatedStatus(...range) }),
    ...(reason === undefined ? {} : { status: { phase: "Pending", conditions } }),
  });
}

/** MetalLB configured with some blocks. */
export function metalLbWith(blocks: readonly string[]): MetalLbView {
  const [pool, advertisement] = metalLbObjects(blocks);
  return { pool: pool as IPAddressPool | undefined, advertisement: advertisement as L2Advertisement | undefined };
}

interface ObservedTraits extends Partial<Omit<Observed, "tenant" | "provider">> {
  readonly provider?: string;
  readonly loadBalancer?: Readonly<Record<string, unknown>>;
  readonly limit?: number;
  readonly services?: readonly Service[];
  /** How long each Service without an address has been waiting. */
  readonly waitedMs?: number;
  readonly metalLb?: MetalLbView;
  readonly isFresh?: boolean;
}

/** An empty elastic cluster `shop` on a pool of 16 addresses. */
export function observedOf(traits: ObservedTraits = {}): Observed & { readonly tenant: TenantView } {
  const { provider = "local", loadBalancer = {}, limit, services = [], waitedMs = 60_000, ...rest } = traits;
  const { metalLb, isFresh = true, ...given } = rest;
  return {
    cluster: aCluster(),
    provider: aProvider(provider, { loadBalancer, limit }),
    pools: [aPool({ status: { largestFreeBlock: 16 } })],
    claims: [],
    tenantKey: { name: "shop-kubeconfig", namespace: "shop-1" },
    patienceMs: 5_000,
    ...given,
    tenant: {
      services,
      waitingSince: new Map(services.map(({ metadata }) => [metadata.uid ?? "", now.getTime() - waitedMs])),
      metalLb,
      isFresh,
    },
  };
}

function aProvider(provider: string, { loadBalancer, limit }: { loadBalancer: object; limit: number | undefined }) {
  return parseObject(ProviderConfig, {
    apiVersion: apiVersionOf(ProviderConfig),
    kind: ProviderConfig.kind,
    metadata: { name: "lab", namespace: "butler-system" },
    spec: {
      provider,
      ...(provider === "local" ? {} : { credentialsRef: { name: "c" }, harvester: { networkName: "default/vm" } }),
      network: {
        mode: "ipam",
        poolRefs: [{ name: "underlay" }],
        loadBalancer: { allocationMode: "elastic", ...loadBalancer },
        ...(limit === undefined ? {} : { quotaPerTenant: { maxLoadBalancerIPs: limit } }),
      },
    },
  });
}
