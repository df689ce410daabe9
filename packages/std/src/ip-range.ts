import { InvalidInput } from "./errors.ts";
import { formatIpAddress, type IpAddress, parseIpAddress } from "./ip-address.ts";

/** All addresses from the first to the last, such as those of the network 10.96.0.0/16. Only its ends are stored. */
export interface IpRange {
  readonly family: 4 | 6;
  readonly first: bigint;
  readonly last: bigint;
}

/** Parses a network in CIDR notation; host bits are ignored. A network of IPv4-mapped IPv6 addresses counts as IPv4. */
export function parseIpRange(text: string): IpRange {
  const { family, value, hostBits } = parseNetwork(text);
  const first = (value >> hostBits) << hostBits;
  return { family, first, last: first + (1n << hostBits) - 1n };
}

/** Parses a network in CIDR notation, or a single address. */
export function parseNetworkOrAddress(text: string): IpRange {
  return parseIpRange(text.includes("/") ? text : `${text}/${text.includes(":") ? 128 : 32}`);
}

/** The canonical form of a network in CIDR notation, without host bits. */
export function normaliseIpRange(text: string): string {
  const { family, hostBits } = parseNetwork(text);
  return `${addressInRange(text, 0n)}/${widthOf(family) - hostBits}`;
}

/** Whether an address is in a range. */
export function rangeContains({ family, first, last }: IpRange, address: IpAddress): boolean {
  return address.family === family && address.value >= first && address.value <= last;
}

/** Whether two ranges have an address in common. */
export function rangesOverlap(left: IpRange, right: IpRange): boolean {
  return left.family === right.family && left.first <= right.last && right.first <= left.last;
}

/** The address at an offset from the first address of a range, or of a network in CIDR notation. */
export function addressInRange(range: IpRange | string, offset: bigint | number): string {
  const { family, first, last } = typeof range === "string" ? parseIpRange(range) : range;
  const value = first + BigInt(offset);
  if (value >= first && value <= last) return formatIpAddress({ family, value });
  const [from, to] = [first, last].map((end) => formatIpAddress({ family, value: end }));
  throw new InvalidInput(`the range from ${from} to ${to} has no address at offset ${offset}`, {
    hint: "Use a larger range.",
  });
}

function parseNetwork(text: string): IpAddress & { readonly hostBits: bigint } {
  const [, addressText = "", prefixText] = /^([^/]+)\/(\d{1,3})$/.exec(text) ?? [];
  const address = parseIpAddress(addressText);
  const written = addressText.includes(":") ? 6 : 4;
  const hostBits = prefixText === undefined ? -1n : widthOf(written) - BigInt(prefixText);
  if (address === undefined || hostBits < 0n) {
    throw new InvalidInput(`${JSON.stringify(text)} is not a valid CIDR`, {
      hint: "Use CIDR notation, such as 10.40.0.0/22.",
    });
  }
  // Such a short prefix covers more of IPv6 than the IPv4-mapped part, whatever the address is.
  const isWider = hostBits > widthOf(address.family);
  return isWider ? { family: 6, value: (0xffffn << 32n) | address.value, hostBits } : { ...address, hostBits };
}

function widthOf(family: 4 | 6): bigint {
  return family === 4 ? 32n : 128n;
}
