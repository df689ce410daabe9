import type { NetworkPool } from "@butler/api";
import type { Machine } from "@butler/api-external";
import type { DynamicObject } from "@butler/resource";
import { type IpAddress, type IpRange, isRecord, parseIpAddress, rangeContains } from "@butler/std";
import { isInUse, rangeOf } from "../shared/claims.ts";
import type { PoolView } from "./pool-view.ts";

/** An address that the management cluster was found to use, as the status of a pool has it. */
export type InfrastructureAllocation = NonNullable<
  NonNullable<NetworkPool["status"]>["infrastructureAllocations"]
>[number];

/** An address that something in the management cluster uses, and what that is. */
export interface InfrastructureUse extends InfrastructureAllocation {
  readonly address: IpAddress;
}

/** What of the management cluster uses addresses. */
export interface InfrastructureObjects {
  readonly services: readonly DynamicObject[];
  readonly nodes: readonly DynamicObject[];
  readonly machines: readonly DynamicObject[];
}

/** Every address that they use, however it came there. */
export function usesOf({ services, nodes, machines }: InfrastructureObjects): InfrastructureUse[] {
  return [
    ...services.flatMap((service) =>
      used(balancerAddresses(service), { source: "metallb", serviceRef: refOf(service) }),
    ),
    ...nodes.flatMap((node) => used(hostAddresses(node), { source: "node", nodeRef: node.metadata.name })),
    ...machines.flatMap((machine) => used(hostAddresses(machine), { source: "machine", machineRef: refOf(machine) })),
  ];
}

/** Whether a Service is one that gets addresses from outside. */
export function isLoadBalancer(service: DynamicObject): boolean {
  return isRecord(service["spec"]) && service["spec"]["type"] === "LoadBalancer";
}

function balancerAddresses(service: DynamicObject): string[] {
  if (!isLoadBalancer(service)) return [];
  const { status } = service as { status?: { loadBalancer?: { ingress?: readonly { ip?: string }[] } } };
  return (status?.loadBalancer?.ingress ?? []).flatMap(({ ip }) => ip ?? []);
}

/** Nodes and Machines list their addresses alike. */
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

/** More are not listed: the object would not fit into the API. They are kept back all the same. */
const mostListed = 2_048;

/**
 * What the management cluster uses of a pool's network although no claim has it, each address once and in order. The
 * first to be found names the source; further users are named beside it.
 */
export function infrastructureOf(
  { claims, uses }: Pick<PoolView, "claims" | "uses">,
  network: IpRange,
): { readonly listed: InfrastructureAllocation[]; readonly count: number } {
  const inside = uses.filter(({ address }) => rangeContains(network, address));
  // Addresses that rest are listed if they are still in use, so that they stay taken when the rest is over.
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
