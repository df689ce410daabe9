import { Unavailable } from "../errors.ts";
import { type IpAddress, parseIpAddress } from "../ip-address.ts";
import { type IpRange, parseNetworkOrAddress, rangeContains } from "../ip-range.ts";
import { embeddedAddress, reachOf } from "./address-reach.ts";

/** Which addresses a process may connect to because of settings that others wrote. */
export interface OutgoingRules {
  /**
   * Exceptions of the platform's operator, never of tenants: networks, addresses, host names, and domains with a leading
   * dot such as `.svc`. Link-local and other forbidden addresses cannot be allowed.
   */
  readonly allowed?: readonly string[] | undefined;
  /** The networks of pods and Services of the own cluster. */
  readonly clusterNetworks?: (() => Promise<readonly string[]>) | undefined;
}

/** The rules as plain data. */
export interface OutgoingFacts {
  readonly allowed: readonly string[];
  readonly clusterNetworks: readonly string[];
}

/** A connection: the host as it was written, and an address that it has. */
export interface OutgoingTarget {
  readonly host: string;
  readonly address: string;
}

/** The rules as plain data, at this moment. */
export async function outgoingFacts({ allowed = [], clusterNetworks }: OutgoingRules): Promise<OutgoingFacts> {
  return { allowed, clusterNetworks: (await clusterNetworks?.()) ?? [] };
}

/**
 * Whether a connection may be made. Loopback, link-local, unspecified and multicast addresses, and those of pods and
 * Services are refused, in each of their forms; other private addresses are where an operator's own servers are.
 */
export function isOutgoingAllowed({ host, address: text }: OutgoingTarget, facts: OutgoingFacts): boolean {
  const reach = reachOf(text);
  const written = parseIpAddress(text);
  if (reach === "forbidden" || written === undefined) return false;
  const address = embeddedAddress(written) ?? written;
  if (facts.allowed.some((exception) => isException(exception, host, address))) return true;
  if (reach === "loopback") return false;
  return !facts.clusterNetworks.some((network) => rangeContains(parseNetworkOrAddress(network), address));
}

function isException(exception: string, host: string, address: IpAddress): boolean {
  const range = rangeIn(exception);
  if (range !== undefined) return rangeContains(range, address);
  const name = host.toLowerCase().replace(/\.$/, "");
  return exception.startsWith(".") ? name.endsWith(exception.toLowerCase()) : name === exception.toLowerCase();
}

/** The network of an exception; undefined if it is a name. */
function rangeIn(exception: string): IpRange | undefined {
  const [address = ""] = exception.split("/");
  return parseIpAddress(address) === undefined ? undefined : parseNetworkOrAddress(exception);
}

/**
 * The one error for an address that is refused, closed, filtered or unknown: its author must not learn from the text
 * what listens inside the platform's networks.
 */
export function unreachable(host: string): Unavailable {
  return new Unavailable(`${host} is unreachable`, { hint: unreachableHint });
}

/** What to do about it. */
export const unreachableHint =
  "Check the address, and make sure that a server is listening there. Loopback, link-local and cluster addresses " +
  "are blocked unless the platform operator allows them.";

/** Errors of a connection that was not established, by their code. */
const notConnected: ReadonlySet<string> = new Set([
  "EACCES",
  "EADDRNOTAVAIL",
  "EAI_AGAIN",
  "EAI_FAIL",
  "EAI_NODATA",
  "ECONNABORTED",
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTDOWN",
  "EHOSTUNREACH",
  "EINVAL",
  "ENETDOWN",
  "ENETUNREACH",
  "ENODATA",
  "ENOTFOUND",
  "EPERM",
  "EPIPE",
  "EPROTO",
  "ERR_SOCKET_CLOSED",
  "ETIMEDOUT",
]);

/** Whether an error of a connection tells no more than that nothing useful answers at the address. */
export function isNotConnected(code: string): boolean {
  return notConnected.has(code);
}
