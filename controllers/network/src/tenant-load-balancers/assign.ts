import { chooseAddress } from "@butler/ipam";
import { keyText } from "@butler/resource";
import { compareAge } from "../shared/claims.ts";
import type { Service } from "./kinds.ts";
import { addressesOf, familyOf, isServed, requestedAddress, wantsAddress } from "./services.ts";
import type { Block } from "./stock.ts";

/** A change of a Service's address. */
export interface Assignment {
  readonly service: Service;
  /** Undefined removes the current address. */
  readonly address: string | undefined;
}

/**
 * Assigns every Service an address of the cluster's blocks, initial ones first. A Service keeps its address as long as
 * it is in a block; of two with the same address, the older one keeps it. The others get the lowest free addresses in
 * order of age.
 */
export function assignAddresses(services: readonly Service[], blocks: readonly Block[]): Assignment[] {
  const taken = new Set<string>();
  const chosen = new Map<Service, string | undefined>();
  const seekers = services.filter(isLookedAfter).toSorted(compareAge);
  const others = services.filter((service) => !isLookedAfter(service));
  for (const address of others.flatMap(addressesOf)) taken.add(address);
  const choose = (service: Service): string | undefined => {
    const ranges = blocks.flatMap(({ range }) => (range.family === familyOf(service) ? [range] : []));
    const [current] = addressesOf(service);
    return chooseAddress({ ranges, taken, current, requested: requestedAddress(service) });
  };
  const settle = (service: Service, address: string | undefined): void => {
    chosen.set(service, address);
    if (address !== undefined) taken.add(address);
  };
  for (const service of seekers) {
    const [current] = addressesOf(service);
    if (current !== undefined && choose(service) === current) settle(service, current);
  }
  for (const service of seekers) if (!chosen.has(service)) settle(service, choose(service));
  return seekers.flatMap((service) => {
    const address = chosen.get(service);
    return isSame(addressesOf(service), address) ? [] : [{ service, address }];
  });
}

/** The addresses of Services after the assignments; before, addresses to be removed count as well. */
export function addressesInUse(services: readonly Service[], assignments: readonly Assignment[]): Set<string> {
  const given = assignments.flatMap(({ address }) => address ?? []);
  return new Set([...services.flatMap(addressesOf), ...given]);
}

/** Services without an address. */
export function withoutAddress(services: readonly Service[], assignments: readonly Assignment[]): Service[] {
  const given = new Map(assignments.map(({ service, address }) => [keyText(service.metadata), address]));
  return services.filter((service) => {
    const key = keyText(service.metadata);
    return wantsAddress(service) && (given.has(key) ? given.get(key) === undefined : !isServed(service));
  });
}

/** A hostname in place of an address was set by another controller. */
function isLookedAfter(service: Service): boolean {
  const ingress = service.status?.loadBalancer?.ingress ?? [];
  return wantsAddress(service) && ingress.every(({ hostname }) => hostname === undefined);
}

function isSame(present: readonly string[], wanted: string | undefined): boolean {
  return wanted === undefined ? present.length === 0 : present.length === 1 && present[0] === wanted;
}
