import { type IpAddress, type IpRange, parseIpAddress, parseIpRange, rangeContains } from "@butler/std";

/** Names and addresses at which something other than a node answers. */
export interface ReservedNames {
  /** Names and addresses at which the control plane is reached. */
  readonly controlPlaneNames?: readonly string[] | undefined;
  /** The range of Services, which includes the address of the API server as pods see it. */
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
 * Whether no node may serve under a DNS name. A node writes its own addresses into its Node object, so that being listed
 * there proves nothing about the names by which pods and users reach the API server or a Service.
 */
export function isReservedName(name: string, { controlPlaneNames = [] }: ReservedNames): boolean {
  const lower = name.toLowerCase().replace(/\.$/, "");
  const labels = lower.split(".");
  if (lower.includes("*") || labels.at(-1) === "localhost") return true;
  if (labels[0] === "kubernetes" || labels.includes("svc")) return true;
  return controlPlaneNames.some((reserved) => reserved.toLowerCase() === lower);
}

/** Whether no node may serve at an address. */
export function isReservedAddress(address: IpAddress, { controlPlaneNames = [], serviceCidr }: ReservedNames): boolean {
  const ranges = serviceCidr === undefined ? neverNodes : [...neverNodes, parseIpRange(serviceCidr)];
  if (ranges.some((range) => rangeContains(range, address))) return true;
  return controlPlaneNames.some((reserved) => isSameAddress(parseIpAddress(reserved), address));
}

/** Whether two spellings mean the same address. */
export function isSameAddress(left: IpAddress | undefined, right: IpAddress): boolean {
  return left?.family === right.family && left.value === right.value;
}
