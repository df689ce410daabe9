import { type IpAddress, parseIpAddress } from "../ip-address.ts";
import { parseIpRange, rangeContains } from "../ip-range.ts";

/** From where an address can be reached, narrowest first; forbidden addresses are never connected to. */
export type Reach = "forbidden" | "loopback" | "private" | "public";

const order: readonly Reach[] = ["forbidden", "loopback", "private", "public"];

/** No address, link-local (where clouds answer with a machine's own credentials), multicast and reserved. */
const unfit = "0.0.0.0/8 169.254.0.0/16 224.0.0.0/4 240.0.0.0/4 ::/128 fe80::/10 ff00::/8 100::/64";
/** Where clouds do the same outside link-local. */
const cloudMetadata = "100.100.100.200/32 168.63.129.16/32 192.0.0.192/32 fd00:ec2::254/128";
/** Local-use IPv4 translation prefix: the position of the IPv4 address is unknown (RFC 8215). */
const localTranslation = "64:ff9b:1::/48";
const inner = "10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 100.64.0.0/10 192.0.0.0/24 198.18.0.0/15 fc00::/7 fec0::/10";

/** The first range that contains an address decides. */
const ranges: readonly (readonly [Reach, string])[] = [
  ["loopback", "127.0.0.0/8 ::1/128"],
  ["forbidden", `${unfit} ${cloudMetadata} ${localTranslation}`],
  ["private", inner],
];
const parsedRanges = ranges.map(([reach, texts]) => [reach, texts.split(" ").map(parseIpRange)] as const);

/** Prefixes of IPv6 that carry an IPv4 address, and how many bits come after it. */
const carriers = [
  { range: parseIpRange("64:ff9b::/96"), shift: 0n },
  { range: parseIpRange("2002::/16"), shift: 80n },
  { range: parseIpRange("::/96"), shift: 0n },
];

/** From where an address can be reached. Invalid addresses are forbidden. */
export function reachOf(text: string): Reach {
  const address = parseIpAddress(text.replace(/^\[|\]$/g, ""));
  return address === undefined ? "forbidden" : reachOfAddress(address);
}

/** Whether a server with reach `floor` may refer to an address with this reach. */
export function isWithin(reach: Reach, floor: Reach): boolean {
  return reach !== "forbidden" && order.indexOf(reach) >= order.indexOf(floor);
}

/** The wider of two. */
export function widerOf(one: Reach, other: Reach): Reach {
  return order.indexOf(one) >= order.indexOf(other) ? one : other;
}

/** The IPv4 address that an IPv6 address carries; undefined if it carries none. */
export function embeddedAddress(address: IpAddress): IpAddress | undefined {
  const carrier = carriers.find(({ range }) => rangeContains(range, address));
  return carrier && { family: 4, value: (address.value >> carrier.shift) & 0xffff_ffffn };
}

function reachOfAddress(address: IpAddress): Reach {
  const found = parsedRanges.find(([, list]) => list.some((range) => rangeContains(range, address)));
  if (found !== undefined) return found[0];
  const carried = embeddedAddress(address);
  return carried === undefined ? "public" : reachOfAddress(carried);
}
