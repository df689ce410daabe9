import { addressInRange, type IpRange } from "@butler/std";

/** The address of the DNS Service where nobody chose one: the tenth of the range of Services, and 0x10 in IPv6. */
export function dnsServiceAddress(serviceRange: IpRange): string {
  return addressInRange(serviceRange, serviceRange.family === 4 ? 10 : 0x10);
}
