import { type IpAddress, type IpRange, parseIpAddress, parseIpRange, rangeContains } from "@butler/std";

/** Names and addresses that do not belong to nodes. */
export interface ReservedNames {
  /** Names and addresses of the control plane. */
  readonly controlPlaneNames?: readonly string[] | undefined;
  /** The Service CIDR, which includes the in-cluster address of the API server. */
  readonly serviceCidr?: string | undefined;
}

/** Loopback, this host, link-local with the clouds' metadata services, multicast and broadcast. */
const neverNodes: readonly IpRange[] = [
  "0.0.0.0/8",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "224.0.0.0/3",
  "::/127",
  "fe80::/10",
  "ff00::/8",
].map(parseIpRange);

/**
 * Whether a DNS name is reserved. A node writes its own addresses into its Node object, so an entry there proves
 * nothing about the names of the API server or of Services.
 */
export function isReservedName(name: string, { controlPlaneNames = [] }: ReservedNames): boolean {
  const lower = name.toLowerCase().replace(/\.$/, "");
  const labels = lower.split(".");
  if (lower.includes("*") || labels.at(-1) === "localhost") return true;
  if (labels[0] === "kubernetes" || labels.includes("svc")) return true;
  return controlPlaneNames.some((reserved) => reserved.toLowerCase() === lower);
}

/** Whether an address is reserved. */
export function isReservedAddress(address: IpAddress, { controlPlaneNames = [], serviceCidr }: ReservedNames): boolean {
  const ranges = serviceCidr === undefined ? neverNodes : [...neverNodes, parseIpRange(serviceCidr)];
  if (ranges.some((range) => rangeContains(range, address))) return true;
  return controlPlaneNames.some((reserved) => isSameAddress(parseIpAddress(reserved), address));
}

/** Whether two spellings denote the same address. */
export function isSameAddress(left: IpAddress | undefined, right: IpAddress): boolean {
  return left?.family === right.family && left.value === right.value;
}
