import type { LookupAddress } from "node:dns";
import { lookup } from "node:dns/promises";
import { isIP, type LookupFunction } from "node:net";
import { callbackify } from "node:util";
import { isWithin, type Reach, reachOf } from "./address-reach.ts";
import { ChartUnavailable } from "./chart-unavailable.ts";
import { fewAtATime, type Resolve } from "./name-resolver.ts";

/** Name resolution and classification of addresses; replaced in tests. */
export interface Network {
  readonly resolve: Resolve;
  readonly reachOf: (address: string) => Reach;
}

/** The system's name resolution. */
export const systemNetwork: Network = {
  resolve: fewAtATime((hostname) => lookup(hostname, { all: true }), 2),
  reachOf,
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
  const allowed = found.filter(({ address }) => faultOfAddress(network, permission, address) === undefined);
  const fault = allowed.length > 0 ? undefined : faultOfAddress(network, permission, found[0]?.address ?? "");
  if (fault !== undefined) throw fault;
  return allowed;
}

/** The same check for a host that is an IP address, which is not resolved. */
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
    return new ChartUnavailable("RepositoryInvalid", `${host} has an IP address that is not allowed for repositories`, {
      hint: "Butler does not connect to link-local, multicast or reserved addresses. Use the repository's own hostname or IP address.",
    });
  }
  if (!isWithin(reach, floor)) {
    return new ChartUnavailable(
      "RepositoryRedirected",
      `${host} has a ${reach} address; a repository with a ${floor} address must not refer to it`,
      { hint: "Use the URL of the repository that hosts the chart." },
    );
  }
  if (!isExposed || reach !== "public") return undefined;
  return new ChartUnavailable("CredentialsRefused", `refusing to send credentials to ${host} without encryption`, {
    hint: "Use the https:// or oci:// URL of the repository.",
  });
}
