import { isIP } from "node:net";

/** How many places after the beginning of a network an address stands, for each family. */
export interface RangeOffset {
  readonly ipv4: bigint;
  readonly ipv6: bigint;
}

/**
 * The address that stands so many places after the beginning of a network, or undefined when the network is not one or
 * does not reach so far. Bits of the text beyond its mask mean nothing, as in Kubernetes.
 */
export function addressInRange(range: string, offset: RangeOffset): string | undefined {
  const [address = "", prefix = "", ...rest] = range.split("/");
  if (rest.length > 0 || isIP(address) === 0 || !/^\d{1,3}$/.test(prefix)) return undefined;
  const [family, step] = isIP(address) === 4 ? [ipv4, offset.ipv4] : [ipv6, offset.ipv6];
  if (BigInt(prefix) > family.bits) return undefined;
  const size = 1n << (family.bits - BigInt(prefix));
  return step < size ? family.format((family.parse(address) / size) * size + step) : undefined;
}

interface Family {
  readonly bits: bigint;
  readonly parse: (address: string) => bigint;
  readonly format: (value: bigint) => string;
}

const ipv4: Family = {
  bits: 32n,
  parse: (address) => address.split(".").reduce((sum, part) => sum * 256n + BigInt(part), 0n),
  format: (value) => [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join("."),
};

const ipv6: Family = {
  bits: 128n,
  parse: (address) => groupsOf(address).reduce((sum, group) => sum * 65_536n + BigInt(`0x${group}`), 0n),
  format: (value) => {
    const groups = Array.from({ length: 8 }, (_unused, at) => (value >> BigInt(112 - at * 16)) & 65_535n);
    return normalized(groups.map((group) => group.toString(16)).join(":"));
  },
};

function groupsOf(address: string): string[] {
  const [head = "", tail = ""] = normalized(address).split("::");
  const listed = (part: string): string[] => (part === "" ? [] : part.split(":"));
  const [left, right] = [listed(head), listed(tail)];
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => "0");
  return [...left, ...zeros, ...right];
}

/** The one spelling of an IPv6 address (RFC 5952), which every URL parser knows. */
function normalized(address: string): string {
  return new URL(`http://[${address}]/`).hostname.slice(1, -1);
}
