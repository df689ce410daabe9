import { addressInRange, type IpRange } from "@butler/std";

/** The default address of the DNS Service: the tenth of the Service CIDR, and 0x10 in IPv6. */
export function dnsServiceAddress(serviceRange: IpRange): string {
  return addressInRange(serviceRange, serviceRange.family === 4 ? 10 : 0x10);
}
