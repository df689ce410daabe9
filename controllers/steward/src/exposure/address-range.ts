import { isIPv4, isIPv6 } from "node:net";
import { InvalidInput } from "@butler/std";

/** The address at a place in a range, counted from its network address: 1 is that of the `kubernetes` Service. */
export function addressInRange(cidr: string, offset: number): string {
  const [address = "", length = ""] = cidr.split("/");
  const bits = isIPv4(address) ? 32 : 128;
  const prefix = /^\d{1,3}$/.test(length) ? Number(length) : Number.NaN;
  if ((!isIPv4(address) && !isIPv6(address)) || !(prefix <= bits)) {
    throw new InvalidInput(`${JSON.stringify(cidr)} is not a CIDR`, { hint: "write a range such as 10.96.0.0/16" });
  }
  const size = 1n << BigInt(bits - prefix);
  if (BigInt(offset) >= size) {
    throw new InvalidInput(`the range ${cidr} has no address number ${offset}`, { hint: "choose a larger range" });
  }
  const value = bits === 32 ? ipv4Value(address) : ipv6Value(address);
  const found = (value / size) * size + BigInt(offset);
  return bits === 32 ? ipv4Text(found) : ipv6Text(found);
}

function ipv4Value(address: string): bigint {
  return address.split(".").reduce((value, part) => (value << 8n) | BigInt(part), 0n);
}

function ipv4Text(value: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 0xffn).join(".");
}

/** An IPv6 address, in any spelling, as a number. */
export function ipv6Value(address: string): bigint {
  // The canonical form has no embedded IPv4 part, so only the gap is left to fill.
  const [head = "", tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split("::");
  const groups = (text: string): string[] => (text === "" ? [] : text.split(":"));
  const [before, after] = [groups(head), groups(tail ?? "")];
  const gap = Array.from({ length: 8 - before.length - after.length }, () => "0");
  return [...before, ...gap, ...after].reduce((value, group) => (value << 16n) | BigInt(`0x${group}`), 0n);
}

function ipv6Text(value: bigint): string {
  const groups = Array.from({ length: 8 }, (_, at) => ((value >> BigInt(112 - 16 * at)) & 0xffffn).toString(16));
  return new URL(`http://[${groups.join(":")}]`).hostname.slice(1, -1);
}
