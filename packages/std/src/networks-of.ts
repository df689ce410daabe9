import { formatIpAddress } from "./ip-address.ts";
import type { IpRange } from "./ip-range.ts";

/** The smallest set of networks in CIDR notation that exactly covers a range, in ascending order. */
export function networksOf({ family, first, last }: IpRange): string[] {
  const width = family === 4 ? 32 : 128;
  const networks: string[] = [];
  for (let value = first; value <= last;) {
    let hostBits = 0;
    // As large as the alignment of its first address and the remaining range allow.
    while (hostBits < width && isAligned(value, hostBits + 1) && value + (1n << BigInt(hostBits + 1)) - 1n <= last) {
      hostBits++;
    }
    networks.push(`${formatIpAddress({ family, value })}/${width - hostBits}`);
    value += 1n << BigInt(hostBits);
  }
  return networks;
}

function isAligned(value: bigint, bits: number): boolean {
  return (value & ((1n << BigInt(bits)) - 1n)) === 0n;
}
