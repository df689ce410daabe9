import { InvalidInput } from "./errors.ts";

/** An address as a number; IPv4-mapped IPv6 counts as IPv4, because programs treat the two as the same address. */
export interface IpAddress {
  readonly family: 4 | 6;
  readonly value: bigint;
}

const mappedIpv4 = 0xffffn;
const ipv4Byte = "(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
const ipv4Text = new RegExp(`^${ipv4Byte}(\\.${ipv4Byte}){3}$`);

/** Parses an address; undefined when the text is not valid. */
export function parseIpAddress(text: string): IpAddress | undefined {
  if (ipv4Text.test(text)) return { family: 4, value: joinParts(text.split(".").map(Number), 8n) };
  const shortest = shortestIpv6(text);
  return shortest === undefined ? undefined : unmapped(joinParts(ipv6Groups(shortest), 16n));
}

/** Parses an address, and rejects an invalid text. */
export function requireIpAddress(text: string): IpAddress {
  const address = parseIpAddress(text);
  if (address !== undefined) return address;
  throw new InvalidInput(`${JSON.stringify(text)} is not an IP address`, {
    hint: "Use an address such as 192.0.2.1 or 2001:db8::1, without prefix length, port or zone.",
  });
}

/** Formats an address: IPv6 in its shortest form (RFC 5952). */
export function formatIpAddress({ family, value }: IpAddress): string {
  if (family === 4) return splitParts(value, { count: 4, bits: 8n }).join(".");
  const text = splitParts(value, { count: 8, bits: 16n })
    .map((group) => group.toString(16))
    .join(":");
  return shortestIpv6(text) ?? text;
}

/** The canonical form of an address: IPv6 in its shortest form, and IPv4-mapped IPv6 as plain IPv4. */
export function normaliseIpAddress(text: string): string {
  return formatIpAddress(requireIpAddress(text));
}

/** `host:port`, with brackets around an IPv6 address. */
export function endpointText({ host, port }: { readonly host: string; readonly port: number | string }): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}

/** The 4 or 16 bytes of an address, most significant first. */
export function ipAddressBytes({ family, value }: IpAddress): Uint8Array {
  return Uint8Array.from(splitParts(value, { count: family === 4 ? 4 : 16, bits: 8n }));
}

/** The address of 4 or 16 bytes. */
export function ipAddressFrom(bytes: Uint8Array): IpAddress {
  if (bytes.length !== 4 && bytes.length !== 16) {
    throw new InvalidInput(`an IP address has 4 or 16 bytes, not ${bytes.length}`);
  }
  const value = joinParts([...bytes], 8n);
  return bytes.length === 4 ? { family: 4, value } : unmapped(value);
}

function unmapped(value: bigint): IpAddress {
  return value >> 32n === mappedIpv4 ? { family: 4, value: value & 0xffff_ffffn } : { family: 6, value };
}

/**
 * The URL parser accepts every spelling of IPv6 and returns the shortest. A zone (`%eth0`) is not part of an address.
 */
function shortestIpv6(text: string): string | undefined {
  const url = `http://[${text}]`;
  if (!/^[\da-f:.]+$/i.test(text) || !URL.canParse(url)) return undefined;
  return new URL(url).hostname.slice(1, -1);
}

function ipv6Groups(shortest: string): number[] {
  const [left = "", right = ""] = shortest.split("::");
  const groups = (part: string): number[] =>
    part === "" ? [] : part.split(":").map((group) => Number.parseInt(group, 16));
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
