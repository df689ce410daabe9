import type { Plan } from "@butler/controller";
import { chooseAddress, isInRanges } from "@butler/ipam";
import { isBeingDeleted } from "@butler/resource";
import type { IpRange } from "@butler/std";
import type { Service } from "../core-kinds.ts";

/** The input of a plan. */
export interface Observed {
  readonly service: Service;
  /** The addresses that may be assigned. */
  readonly range: IpRange;
  /** The addresses of other Services. */
  readonly taken: ReadonlySet<string>;
}

/** Assigns the lowest free address to a Service of type LoadBalancer, and releases it when the type changes. */
export function plan({ service, range, taken }: Observed): Plan {
  if (isBeingDeleted(service)) return { finalizer: "none" };
  const current = currentAddress(service);
  const ranges = [range];
  const isOurs = current !== undefined && isInRanges(ranges, current);
  if (!wantsAddress(service)) return { finalizer: "none", ...(isOurs ? { status: { loadBalancer: {} } } : {}) };
  const ip = chooseAddress({ ranges, taken, current });
  if (ip !== undefined) return { finalizer: "none", status: { loadBalancer: { ingress: [{ ip }] } } };
  const message = "no free load balancer addresses";
  const events = [{ type: "Warning" as const, reason: "AddressesExhausted", message }];
  return { finalizer: "none", events, requeueAfterMs: 10_000 };
}

/** A class means that another controller manages the Service. */
function wantsAddress({ spec }: Service): boolean {
  return spec.type === "LoadBalancer" && spec.loadBalancerClass === undefined;
}

function currentAddress({ status }: Service): string | undefined {
  return status?.loadBalancer?.ingress?.[0]?.ip;
}

/** The assignable addresses of a network: all but the first and the last, which are not for hosts. */
export function addressesOf({ family, first, last }: IpRange): IpRange {
  return { family, first: first + 1n, last: last - 1n };
}
