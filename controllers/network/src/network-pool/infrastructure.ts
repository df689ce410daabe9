import type { NetworkPool } from "@butler/api";
import type { Machine } from "@butler/api-external";
import type { DynamicObject } from "@butler/resource";
import { type IpAddress, type IpRange, isRecord, parseIpAddress, rangeContains } from "@butler/std";
import { isInUse, rangeOf } from "../shared/claims.ts";
import type { PoolView } from "./pool-view.ts";

/** An address in use by the management cluster, as in the status of a pool. */
export type InfrastructureAllocation = NonNullable<
  NonNullable<NetworkPool["status"]>["infrastructureAllocations"]
>[number];

/** An address in use by the management cluster, and its user. */
export interface InfrastructureUse extends InfrastructureAllocation {
  readonly address: IpAddress;
}

/** Objects of the management cluster that use addresses. */
export interface InfrastructureObjects {
  readonly services: readonly DynamicObject[];
  readonly nodes: readonly DynamicObject[];
  readonly machines: readonly DynamicObject[];
}

/** All addresses that they use. */
export function usesOf({ services, nodes, machines }: InfrastructureObjects): InfrastructureUse[] {
  return [
    ...services.flatMap((service) =>
      used(balancerAddresses(service), { source: "metallb", serviceRef: refOf(service) }),
    ),
    ...nodes.flatMap((node) => used(hostAddresses(node), { source: "node", nodeRef: node.metadata.name })),
    ...machines.flatMap((machine) => used(hostAddresses(machine), { source: "machine", machineRef: refOf(machine) })),
  ];
}

/** Whether a Service gets a load balancer address. */
export function isLoadBalancer(service: DynamicObject): boolean {
  return isRecord(service["spec"]) && service["spec"]["type"] === "LoadBalancer";
}

function balancerAddresses(service: DynamicObject): string[] {
  if (!isLoadBalancer(service)) return [];
  const { status } = service as { status?: { loadBalancer?: { ingress?: readonly { ip?: string }[] } } };
  return (status?.loadBalancer?.ingress ?? []).flatMap(({ ip }) => ip ?? []);
}

/** Nodes and Machines list their addresses in the same way. */
function hostAddresses(host: DynamicObject): string[] {
  const { status } = host as Pick<Machine, "status">;
  return (status?.addresses ?? []).flatMap(({ type, address }) => (type.endsWith("IP") ? address : []));
}

function refOf({ metadata }: DynamicObject): { name: string; namespace: string } {
  return { name: metadata.name, namespace: metadata.namespace ?? "" };
}

function used(texts: readonly string[], by: Omit<InfrastructureAllocation, "ip">): InfrastructureUse[] {
  return texts.flatMap((ip) => {
    const address = parseIpAddress(ip);
    return address === undefined ? [] : [{ ip, ...by, address }];
  });
}

/** No more are listed, because of the object size limit. They are still not allocated. */
const mostListed = 2_048;

/**
 * Addresses of a pool's network in use by the management cluster without a claim, each address once and in order. The
 * first user found is the source; further users are listed as well.
 */
export function infrastructureOf(
  { claims, uses }: Pick<PoolView, "claims" | "uses">,
  network: IpRange,
): { readonly listed: InfrastructureAllocation[]; readonly count: number } {
  const inside = uses.filter(({ address }) => rangeContains(network, address));
  // Addresses in quarantine are listed if they are still in use, so that they stay taken after the quarantine.
  const held = inside.length === 0 ? [] : claims.filter(isInUse).flatMap((claim) => rangeOf(claim) ?? []);
  const found = new Map<bigint, InfrastructureAllocation>();
  for (const { address, ...use } of inside) {
    if (held.some((range) => rangeContains(range, address))) continue;
    found.set(address.value, { ...use, ...found.get(address.value) });
  }
  const sorted = [...found].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, use]) => use);
  return { listed: sorted.slice(0, mostListed), count: sorted.length };
}

/** The addresses themselves, as ranges of one. */
export function usedRanges(uses: readonly InfrastructureUse[]): IpRange[] {
  return uses.map(({ address: { family, value } }) => ({ family, first: value, last: value }));
}
