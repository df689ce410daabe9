import type { Plan } from "@butler/controller";
import { isBeingDeleted } from "@butler/resource";
import { formatIpAddress, type IpRange, parseIpAddress, rangeContains } from "@butler/std";
import type { Service } from "../core-kinds.ts";

/** Everything the decision is made from. */
export interface Observed {
  readonly service: Service;
  /** The addresses that may be handed out. */
  readonly range: IpRange;
  /** The addresses that other Services have. */
  readonly taken: ReadonlySet<string>;
}

/** Gives a Service of type LoadBalancer the lowest free address, and takes it back when the type changes. */
export function plan({ service, range, taken }: Observed): Plan {
  if (isBeingDeleted(service)) return { finalizer: "none" };
  const current = currentAddress(service);
  const isOurs = current !== undefined && isIn(range, current);
  if (!wantsAddress(service)) return { finalizer: "none", ...(isOurs ? { status: { loadBalancer: {} } } : {}) };
  const ip = isOurs && !taken.has(current) ? current : lowestFree(range, taken);
  if (ip !== undefined) return { finalizer: "none", status: { loadBalancer: { ingress: [{ ip }] } } };
  const message = "all addresses for load balancers are taken";
  const events = [{ type: "Warning" as const, reason: "AddressesExhausted", message }];
  return { finalizer: "none", events, requeueAfterMs: 10_000 };
}

/** A class names somebody else who looks after the Service. */
function wantsAddress({ spec }: Service): boolean {
  return spec.type === "LoadBalancer" && spec.loadBalancerClass === undefined;
}

function currentAddress({ status }: Service): string | undefined {
  return status?.loadBalancer?.ingress?.[0]?.ip;
}

function isIn(range: IpRange, text: string): boolean {
  const address = parseIpAddress(text);
  return address !== undefined && rangeContains(range, address);
}

function lowestFree({ family, first, last }: IpRange, taken: ReadonlySet<string>): string | undefined {
  for (let value = first; value <= last; value++) {
    const address = formatIpAddress({ family, value });
    if (!taken.has(address)) return address;
  }
  return undefined;
}

/** The addresses of a network that can be handed out: all but the first and the last, which are not for hosts. */
export function addressesOf({ family, first, last }: IpRange): IpRange {
  return { family, first: first + 1n, last: last - 1n };
}
