import { InvalidInput } from "@butler/std";
import { isIP } from "node:net";

/** An address as a number; IPv4 within IPv6 counts as IPv4, because programs take the two for the same address. */
export interface IpAddress {
  readonly family: 4 | 6;
  readonly value: bigint;
}

/** A network such as 10.96.0.0/16. */
export interface IpRange {
  readonly family: 4 | 6;
  readonly first: bigint;
  readonly last: bigint;
}

const mappedIpv4 = 0xffffn;

/** Reads an address; undefined when the text is none. */
export function parseIpAddress(text: string): IpAddress | undefined {
  const family = isIP(text);
  if (family === 4) return { family, value: joinParts(text.split(".").map(Number), 8n) };
  if (family !== 6 || text.includes("%")) return undefined;
  const value = joinParts(ipv6Groups(text), 16n);
  return value >> 32n === mappedIpv4 ? { family: 4, value: value & 0xffff_ffffn } : { family, value };
}

/** Reads a network in CIDR notation; the bits behind the prefix do not matter. */
export function parseIpRange(text: string): IpRange {
  const [, addressText = "", prefixText = ""] = /^([^/]+)\/(\d{1,3})$/.exec(text) ?? [];
  const address = parseIpAddress(addressText);
  const prefix = prefixText === "" ? Number.NaN : Number(prefixText);
  if (address === undefined || !(prefix <= widthOf(address.family))) {
    throw new InvalidInput(`${JSON.stringify(text)} is not a network`, {
      hint: "Write an address and the length of its prefix, such as 10.40.0.0/22.",
    });
  }
  const hostBits = BigInt(widthOf(address.family) - prefix);
  const first = (address.value >> hostBits) << hostBits;
  return { family: address.family, first, last: first + (1n << hostBits) - 1n };
}

/** Whether an address lies in a network. */
export function rangeContains({ family, first, last }: IpRange, address: IpAddress): boolean {
  return address.family === family && address.value >= first && address.value <= last;
}

/** The address that lies so many places after the first of a network. */
export function addressInRange({ family, first, last }: IpRange, offset: bigint): string {
  const value = first + offset;
  if (value > last)
    throw new InvalidInput(`the network has no address number ${offset}`, { hint: "Use a larger one." });
  if (family === 4) return splitParts(value, { count: 4, bits: 8n }).join(".");
  const groups = splitParts(value, { count: 8, bits: 16n }).map((group) => group.toString(16));
  // The URL parser writes IPv6 in its shortest form (RFC 5952).
  return new URL(`http://[${groups.join(":")}]`).hostname.slice(1, -1);
}

function widthOf(family: 4 | 6): number {
  return family === 4 ? 32 : 128;
}

function ipv6Groups(text: string): number[] {
  const shortest = new URL(`http://[${text}]`).hostname.slice(1, -1);
  const [left = "", right = ""] = shortest.split("::");
  const groups = (part: string): number[] =>
    part === "" ? [] : part.split(":").map((one) => Number.parseInt(one, 16));
  const [before, after] = [groups(left), groups(right)];
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => 0), ...after];
}

function joinParts(parts: readonly number[], bits: bigint): bigint {
  return parts.reduce((value, part) => (value << bits) | BigInt(part), 0n);
}

function splitParts(value: bigint, { count, bits }: { count: number; bits: bigint }): number[] {
  const mask = (1n << bits) - 1n;
  return Array.from({ length: count }, (_, at) => Number((value >> (bits * BigInt(count - 1 - at))) & mask));
}
