import { isBeingDeleted } from "@butler/resource";
import { normaliseIpAddress, parseIpAddress } from "@butler/std";
import type { Service } from "./kinds.ts";
import { metalLbPoolName } from "./metallb.ts";

/** Names a MetalLB pool; one that is not ours has addresses of the tenant's own. */
const poolAnnotation = "metallb.io/address-pool";
/** Names the address that a Service is to have; the second is how MetalLB once wrote it. */
const addressAnnotations = ["metallb.io/loadBalancerIPs", "metallb.universe.tf/loadBalancerIPs"];

/** The addresses that a Service has, in their one spelling. */
export function addressesOf({ status }: Service): string[] {
  const ingress = status?.loadBalancer?.ingress ?? [];
  return ingress.flatMap(({ ip }) =>
    ip !== undefined && parseIpAddress(ip) !== undefined ? normaliseIpAddress(ip) : [],
  );
}

/** Whether a Service is to have an address of ours. A class names somebody else who looks after it. */
export function wantsAddress(service: Service): boolean {
  const { spec, metadata } = service;
  const pool = metadata.annotations?.[poolAnnotation] ?? metalLbPoolName;
  const isOurs = spec.loadBalancerClass === undefined && pool === metalLbPoolName;
  return spec.type === "LoadBalancer" && isOurs && !isBeingDeleted(service);
}

/** Whether a Service has been given something, by us or by somebody else. */
export function isServed({ status }: Service): boolean {
  return (status?.loadBalancer?.ingress ?? []).length > 0;
}

/** The one address that a Service asks for; a text that is no address is asked for in vain. */
export function requestedAddress({ metadata, spec }: Service): string | undefined {
  const annotated = addressAnnotations.flatMap((name) => metadata.annotations?.[name] ?? []);
  const [first] = (annotated[0] ?? spec.loadBalancerIP ?? "").split(",");
  const text = first?.trim();
  if (!text) return undefined;
  return parseIpAddress(text) === undefined ? text : normaliseIpAddress(text);
}

/** The family of address that a Service wants first. */
export function familyOf({ spec }: Service): 4 | 6 {
  return spec.ipFamilies?.[0] === "IPv6" ? 6 : 4;
}
