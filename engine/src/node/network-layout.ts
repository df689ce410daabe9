import { InvalidInput } from "@butler/std";

/** How many engines can run on one machine at once. */
export const engineSlots = 16;

/**
 * The addresses of one engine. Every engine runs in its own network namespace, connected to the machine by one pair of
 * interfaces, so that two engines share only the machine: ports, bridge names and firewall chains do not conflict. Only
 * the ranges must differ, because the machine has a route to each.
 */
export interface NetworkLayout {
  readonly namespace: string;
  /** The machine's end of the pair. */
  readonly hostInterface: string;
  /** The engine's end of the pair. */
  readonly nodeInterface: string;
  readonly hostAddress: string;
  /** The address of the engine's node, at which its API server is reached. */
  readonly nodeAddress: string;
  readonly linkPrefix: number;
  /** Everything inside the engine but Services. */
  readonly range: string;
  readonly podRange: string;
  readonly podGateway: string;
  /** Addresses of the engine's own Services of type LoadBalancer. */
  readonly loadBalancerRange: string;
  /** Addresses that tenant clusters get for theirs. */
  readonly tenantRange: string;
  readonly serviceRange: string;
  readonly apiServiceAddress: string;
  readonly dnsAddress: string;
  readonly bridge: string;
}

/**
 * The layout of the engine in a slot. The ranges do not overlap tenants' defaults (10.244.0.0/16 and 10.96.0.0/12): a
 * tenant's Service range must not contain addresses of the management cluster.
 */
export function networkLayout(slot: number): NetworkLayout {
  if (!Number.isInteger(slot) || slot < 0 || slot >= engineSlots) {
    throw new InvalidInput(`engine slot ${slot} does not exist`, {
      hint: `At most ${engineSlots} engines can run at the same time.`,
    });
  }
  const inside = `10.${200 + slot}`;
  const services = `10.${216 + slot}`;
  return {
    namespace: `butler${slot}`,
    hostInterface: `butler${slot}h`,
    nodeInterface: `butler${slot}n`,
    hostAddress: `${inside}.254.1`,
    nodeAddress: `${inside}.254.2`,
    linkPrefix: 30,
    range: `${inside}.0.0/16`,
    podRange: `${inside}.0.0/17`,
    podGateway: `${inside}.0.1`,
    loadBalancerRange: `${inside}.255.0/24`,
    tenantRange: `${inside}.160.0/20`,
    serviceRange: `${services}.0.0/16`,
    apiServiceAddress: `${services}.0.1`,
    dnsAddress: `${services}.0.10`,
    bridge: "butler",
  };
}
