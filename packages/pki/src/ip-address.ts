import { InvalidInput } from "@butler/std";
import { isIP } from "node:net";

/**
 * One spelling for each address: IPv6 in its shortest form, and IPv4 within IPv6 as plain IPv4, because programs
 * take the two for the same address.
 */
export function normaliseIpAddress(text: string): string {
  const family = isIP(text);
  if (family === 4) return text;
  if (family !== 6 || text.includes("%")) {
    throw new InvalidInput(`${JSON.stringify(text)} is not an IP address`, {
      hint: "Write an address such as 192.0.2.1 or 2001:db8::1, without a prefix length, a port or a zone.",
    });
  }
  const shortest = new URL(`http://[${text}]`).hostname.slice(1, -1);
  const mapped = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/.exec(shortest);
  if (mapped === null) return shortest;
  return mapped
    .slice(1)
    .map((group) => Number.parseInt(group, 16))
    .flatMap((group) => [group >> 8, group & 0xff])
    .join(".");
}

/** The bytes of an address as certificates hold them. */
export function ipAddressBytes(text: string): Buffer {
  const address = normaliseIpAddress(text);
  if (isIP(address) === 4) return Buffer.from(address.split(".").map(Number));
  const [left = "", right] = address.split("::");
  const groups = (part = ""): number[] =>
    part === "" ? [] : part.split(":").map((group) => Number.parseInt(group, 16));
  const [before, after] = [groups(left), groups(right)];
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => 0);
  return Buffer.from([...before, ...zeros, ...after].flatMap((group) => [group >> 8, group & 0xff]));
}

/** The address that bytes of a certificate hold. */
export function ipAddressFrom(bytes: Buffer): string {
  if (bytes.length === 4) return [...bytes].join(".");
  if (bytes.length !== 16) throw new InvalidInput(`an IP address has 4 or 16 bytes and not ${bytes.length}`);
  return normaliseIpAddress((bytes.toString("hex").match(/.{4}/g) ?? []).join(":"));
}
