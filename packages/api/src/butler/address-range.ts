import { type CelRule, ipAddress, withRules } from "@butler/resource";
import { z } from "zod";

/** A CEL expression for an IPv4 address, given as an expression for its text, as one whole number. */
export function ipv4Number(text: string): string {
  const byte = (index: number) => `int(${text}.split('.')[${index}])`;
  return `(${byte(0)} * 16777216 + ${byte(1)} * 65536 + ${byte(2)} * 256 + ${byte(3)})`;
}

/** A CEL expression that holds when a text is an IPv4 address. */
export function isIpv4(text: string): string {
  return `(isIP(${text}) && ip(${text}).family() == 4)`;
}

/**
 * Rules for an object with the first and the last address of a range. They ignore values that are not valid
 * addresses, because the fields have their own rules. The order is checked for IPv4 only: CEL cannot compare IPv6
 * addresses.
 */
export function addressRangeRules(first: string, last: string): readonly [CelRule, CelRule] {
  const [from, to] = [`self.${first}`, `self.${last}`];
  return [
    {
      rule: `!isIP(${from}) || !isIP(${to}) || ip(${from}).family() == ip(${to}).family()`,
      message: `${first} and ${last} must both be IPv4 or both be IPv6 addresses`,
    },
    {
      rule: `!${isIpv4(from)} || !${isIpv4(to)} || ${ipv4Number(from)} <= ${ipv4Number(to)}`,
      message: `must be greater than or equal to ${first}`,
      fieldPath: `.${last}`,
    },
  ];
}

/** The first and the last address of a range of IP addresses. */
export const addressRange = withRules(
  z.object({
    start: ipAddress().describe("First address of the range."),
    end: ipAddress("10.40.1.150").describe("Last address of the range."),
  }),
  ...addressRangeRules("start", "end"),
);
