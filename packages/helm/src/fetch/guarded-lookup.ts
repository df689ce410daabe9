import type { LookupAddress } from "node:dns";
import { lookup } from "node:dns/promises";
import { isIP, type LookupFunction } from "node:net";
import { callbackify } from "node:util";
import { isWithin, type Reach, reachOf } from "./address-reach.ts";
import { ChartUnavailable } from "./chart-unavailable.ts";
import { fewAtATime, type Resolve } from "./name-resolver.ts";

/** How names become addresses, and what addresses count as; for tests that need another world. */
export interface Network {
  readonly resolve: Resolve;
  readonly reachOf: (address: string) => Reach;
}

/** The machine's own names and addresses. */
export const systemNetwork: Network = {
  resolve: fewAtATime((hostname) => lookup(hostname, { all: true }), 2),
  reachOf,
};

/** To whom a connection may go. */
export interface Permission {
  readonly host: string;
  /** No address with a narrower reach. */
  readonly floor: Reach;
  /** Whether what is sent could be read on the way by others; then it stays within one's own networks. */
  readonly isExposed: boolean;
}

/**
 * A name resolution that hands on only addresses that may be spoken to. The connection goes to what was checked, so that
 * a name that changes its address between check and use gains nothing.
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

/** At least one; when there is none, what is wrong with the first is thrown. */
async function allowedAddresses(
  network: Network,
  permission: Permission,
  hostname: string,
): Promise<readonly LookupAddress[]> {
  const found = await network.resolve(hostname);
  const allowed = found.filter(({ address }) => faultOfAddress(network, permission, address) === undefined);
  const fault = allowed.length > 0 ? undefined : faultOfAddress(network, permission, found[0]?.address ?? "");
  if (fault !== undefined) throw fault;
  return allowed;
}

/** The same check for a host that is written as an address, which nobody resolves. */
export function faultOfLiteral(
  network: Network,
  permission: Permission,
  hostname: string,
): ChartUnavailable | undefined {
  const address = hostname.replace(/^\[|\]$/g, "");
  return isIP(address) === 0 ? undefined : faultOfAddress(network, permission, address);
}

function faultOfAddress(
  network: Network,
  { host, floor, isExposed }: Permission,
  address: string,
): ChartUnavailable | undefined {
  const reach = network.reachOf(address);
  if (reach === "forbidden") {
    return new ChartUnavailable("RepositoryInvalid", `${host} has an address that repositories cannot have`, {
      hint: "Link-local, multicast and reserved addresses are never spoken to. Use the repository's real address.",
    });
  }
  if (!isWithin(reach, floor)) {
    return new ChartUnavailable(
      "RepositoryRedirected",
      `${host} has a ${reach} address, to which a repository with a ${floor} one must not lead`,
      { hint: "Use the address of the repository that really has the chart." },
    );
  }
  if (!isExposed || reach !== "public") return undefined;
  return new ChartUnavailable("CredentialsRefused", `credentials would go to ${host} without encryption`, {
    hint: "Use the repository's https:// or oci:// address.",
  });
}
