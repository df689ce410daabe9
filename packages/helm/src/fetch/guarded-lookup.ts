import type { LookupAddress } from "node:dns";
import { lookup } from "node:dns/promises";
import { isIP, type LookupFunction } from "node:net";
import { callbackify } from "node:util";
import {
  isOutgoingAllowed,
  isWithin,
  type OutgoingFacts,
  outgoingFacts,
  type OutgoingRules,
  type Reach,
  reachOf,
  type Resolve,
} from "@butler/std/outgoing";
import { ChartUnavailable } from "./chart-unavailable.ts";
import { fewAtATime } from "./name-resolver.ts";
import { unreachableFault } from "./network-fault.ts";

/** Name resolution and classification of addresses; replaced in tests. */
export interface Network {
  readonly resolve: Resolve;
  readonly reachOf: (address: string) => Reach;
  /** Which addresses repositories may have; the platform's operator decides about exceptions. */
  readonly rules: OutgoingRules;
}

/** The system's name resolution. */
export const systemNetwork: Network = {
  resolve: fewAtATime((hostname) => lookup(hostname, { all: true }), 2),
  reachOf,
  rules: {},
};

/** The allowed targets of a connection. */
export interface Permission {
  readonly host: string;
  /** Minimum reach of addresses. */
  readonly floor: Reach;
  /** Whether the request is unencrypted with credentials; it is then limited to private networks. */
  readonly isExposed: boolean;
}

/**
 * A name resolution that returns only allowed addresses. The connection uses the checked address, so that a name that
 * changes its address between check and use (DNS rebinding) gains nothing.
 */
export function guardedLookup(network: Network, permission: Permission): LookupFunction {
  return (hostname, options, callback) => {
    callbackify(() => allowedAddresses(network, permission, hostname))((error, allowed) => {
      const [first] = allowed ?? [];
      if (first === undefined) callback(error ?? new Error("no address"), "", 0);
      else if (options.all === true) callback(null, [...allowed]);
      else callback(null, first.address, first.family);
    });
  };
}

/** At least one address; throws the fault of the first when none is allowed. */
async function allowedAddresses(
  network: Network,
  permission: Permission,
  hostname: string,
): Promise<readonly LookupAddress[]> {
  const found = await network.resolve(hostname);
  const facts = await outgoingFacts(network.rules);
  const faultOf = (address: string) => faultOfAddress(network, permission, { host: hostname, address, facts });
  const allowed = found.filter(({ address }) => faultOf(address) === undefined);
  const fault = allowed.length > 0 ? undefined : faultOf(found[0]?.address ?? "");
  if (fault !== undefined) throw fault;
  return allowed;
}

/** The same check for a host that is an IP address, which is not resolved. */
export async function requireAllowedLiteral(network: Network, permission: Permission, hostname: string): Promise<void> {
  const address = hostname.replace(/^\[|\]$/g, "");
  if (isIP(address) === 0) return;
  const facts = await outgoingFacts(network.rules);
  const fault = faultOfAddress(network, permission, { host: address, address, facts });
  if (fault !== undefined) throw fault;
}

interface Target {
  readonly host: string;
  readonly address: string;
  readonly facts: OutgoingFacts;
}

function faultOfAddress(
  network: Network,
  { host, floor, isExposed }: Permission,
  { facts, ...target }: Target,
): ChartUnavailable | undefined {
  const reach = network.reachOf(target.address);
  // The same as for an address where nothing listens.
  if (reach === "forbidden" || !isOutgoingAllowed(target, facts)) return unreachableFault(host);
  if (!isWithin(reach, floor)) {
    return new ChartUnavailable(
      "RepositoryRedirected",
      `${host} has a ${reach} address; a repository with a ${floor} address must not refer to it`,
      { hint: "Use the URL of the repository that hosts the chart." },
    );
  }
  if (!isExposed || reach !== "public") return undefined;
  return new ChartUnavailable("CredentialsRefused", `refusing to send credentials to ${host} without encryption`, {
    hint: "Use the repository's https:// or oci:// URL.",
  });
}
