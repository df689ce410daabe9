import type { StewardControlPlane } from "@butler/api";
import type { Cluster } from "@butler/api-external";
import { parseIpRange } from "@butler/std";
import type { Blocker } from "@butler/resource";
import { dnsServiceAddress } from "../dns-service-address.ts";

/** Addresses and CIDRs of a tenant, from its Cluster and its control plane. */
export interface TenantNetwork {
  readonly port: number;
  readonly serviceCidr: string;
  readonly podCidr: string;
  readonly clusterDomain: string;
  readonly dnsServiceIPs: string[];
}

const usual = { port: 6443, serviceCidr: "10.96.0.0/16", podCidr: "10.244.0.0/16", clusterDomain: "cluster.local" };

/**
 * The network of a tenant. Every value is stated, above all the addresses of the DNS Service: one that is left to a
 * default at creation can go missing with a later write, and kubelets would then join without DNS.
 */
export function tenantNetwork(controlPlane: StewardControlPlane, cluster: Cluster): TenantNetwork | Blocker {
  const { apiServerPort, services, pods, serviceDomain } = cluster.spec?.clusterNetwork ?? {};
  const serviceCidr = services?.cidrBlocks[0] ?? usual.serviceCidr;
  const dnsServiceIPs = askedAddresses(controlPlane) ?? computedAddresses(serviceCidr);
  if (dnsServiceIPs === undefined) return rangeIsTooSmall(serviceCidr);
  return {
    port: apiServerPort || usual.port,
    serviceCidr,
    podCidr: pods?.cidrBlocks[0] ?? usual.podCidr,
    clusterDomain: serviceDomain || usual.clusterDomain,
    dnsServiceIPs,
  };
}

function askedAddresses({ spec: { addons, network } }: StewardControlPlane): string[] | undefined {
  const asked = [addons.coreDNS?.dnsServiceIPs, network.dnsServiceIPs].find((list) => list?.length);
  return asked && [...asked];
}

function computedAddresses(serviceCidr: string): string[] | undefined {
  try {
    return [dnsServiceAddress(parseIpRange(serviceCidr))];
  } catch {
    return undefined;
  }
}

/** CIDRs of the Cluster that are ignored, because a tenant has a single address family. */
export function unusedRanges({ spec }: Cluster): string[] {
  const { services, pods } = spec?.clusterNetwork ?? {};
  return [...(services?.cidrBlocks.slice(1) ?? []), ...(pods?.cidrBlocks.slice(1) ?? [])];
}

function rangeIsTooSmall(serviceCidr: string): Blocker {
  return {
    reason: "ServiceRangeUnusable",
    message: `the Cluster's Service CIDR ${serviceCidr} has no tenth address for DNS; use a larger CIDR or set network.dnsServiceIPs`,
  };
}
