import { InvalidInput } from "./errors.ts";
import { formatIpAddress, type IpAddress, parseIpAddress } from "./ip-address.ts";

/** All addresses from the first to the last, as a network such as 10.96.0.0/16 has them. Only its ends are ever held. */
export interface IpRange {
  readonly family: 4 | 6;
  readonly first: bigint;
  readonly last: bigint;
}

/**
 * Reads a network in CIDR notation; the bits behind the prefix do not matter. A network that lies wholly in IPv4 within
 * IPv6 counts as IPv4.
 */
export function parseIpRange(text: string): IpRange {
  const { family, value, hostBits } = parseNetwork(text);
  const first = (value >> hostBits) << hostBits;
  return { family, first, last: first + (1n << hostBits) - 1n };
}

/** The one spelling of a network in CIDR notation, without bits behind the prefix. */
export function normaliseIpRange(text: string): string {
  const { family, hostBits } = parseNetwork(text);
  return `${addressInRange(text, 0n)}/${widthOf(family) - hostBits}`;
}

/** Whether an address lies in a range. */
export function rangeContains({ family, first, last }: IpRange, address: IpAddress): boolean {
  return address.family === family && address.value >= first && address.value <= last;
}

/** Whether two ranges have an address in common. */
export function rangesOverlap(left: IpRange, right: IpRange): boolean {
  return left.family === right.family && left.first <= right.last && right.first <= left.last;
}

/** The address that lies so many places after the first of a range, or of a network in CIDR notation. */
export function addressInRange(range: IpRange | string, offset: bigint | number): string {
  const { family, first, last } = typeof range === "string" ? parseIpRange(range) : range;
  const value = first + BigInt(offset);
  if (value >= first && value <= last) return formatIpAddress({ family, value });
  const [from, to] = [first, last].map((end) => formatIpAddress({ family, value: end }));
  throw new InvalidInput(`the range from ${from} to ${to} has no address number ${offset}`, {
    hint: "Use a larger range.",
  });
}

function parseNetwork(text: string): IpAddress & { readonly hostBits: bigint } {
  const [, addressText = "", prefixText] = /^([^/]+)\/(\d{1,3})$/.exec(text) ?? [];
  const address = parseIpAddress(addressText);
  const written = addressText.includes(":") ? 6 : 4;
  const hostBits = prefixText === undefined ? -1n : widthOf(written) - BigInt(prefixText);
  if (address === undefined || hostBits < 0n) {
    throw new InvalidInput(`${JSON.stringify(text)} is not a network`, {
      hint: "Write an address and the length of its prefix, such as 10.40.0.0/22.",
    });
  }
  // So short a prefix takes in more of IPv6 than the part that stands for IPv4, whatever the address is.
  const isWider = hostBits > widthOf(address.family);
  return isWider ? { family: 6, value: (0xffffn << 32n) | address.value, hostBits } : { ...address, hostBits };
}

function widthOf(family: 4 | 6): bigint {
  return family === 4 ? 32n : 128n;
}
