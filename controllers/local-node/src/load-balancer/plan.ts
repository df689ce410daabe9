import type { Plan } from "@butler/controller";
import { isBeingDeleted } from "@butler/resource";
import type { Service } from "../core-kinds.ts";

/** Everything the decision is made from. */
export interface Observed {
  readonly service: Service;
  /** The addresses that may be handed out, lowest first. */
  readonly range: readonly string[];
  /** The addresses that other Services have. */
  readonly taken: ReadonlySet<string>;
}

/** Gives a Service of type LoadBalancer the lowest free address, and takes it back when the type changes. */
export function plan({ service, range, taken }: Observed): Plan {
  if (isBeingDeleted(service)) return { finalizer: "none" };
  const current = currentAddress(service);
  const isOurs = current !== undefined && range.includes(current);
  if (!wantsAddress(service)) return { finalizer: "none", ...(isOurs ? { status: { loadBalancer: {} } } : {}) };
  const ip = isOurs && !taken.has(current) ? current : range.find((address) => !taken.has(address));
  if (ip !== undefined) return { finalizer: "none", status: { loadBalancer: { ingress: [{ ip }] } } };
  const message = `all ${range.length} addresses for load balancers are taken`;
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

/** The addresses of a /24 that can be handed out: all but the first and the last. */
export function addressesOf(range: string): string[] {
  const match = /^(\d+\.\d+\.\d+)\.0\/24$/.exec(range);
  if (match === null) return [];
  return Array.from({ length: 254 }, (_, at) => `${match[1]}.${at + 1}`);
}
