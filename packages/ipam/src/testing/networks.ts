import { type IpRange, parseIpRange, requireIpAddress } from "@butler/std";

/** A range in any notation: `10.0.0.0/24`, `10.0.0.1-10.0.0.9` or `10.0.0.1`. */
export function range(text: string): IpRange {
  if (text.includes("/")) return parseIpRange(text);
  const [first = "", last = first] = text.split("-");
  const [start, end] = [requireIpAddress(first), requireIpAddress(last)];
  return { family: start.family, first: start.value, last: end.value };
}
