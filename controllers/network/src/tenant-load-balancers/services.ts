import { isBeingDeleted } from "@butler/resource";
import { normaliseIpAddress, parseIpAddress } from "@butler/std";
import type { Service } from "./kinds.ts";
import { metalLbPoolName } from "./metallb.ts";

/** Selects a MetalLB pool; a pool other than Butler's has the tenant's own addresses. */
const poolAnnotation = "metallb.io/address-pool";
/** Requests an address for a Service; the second is MetalLB's legacy name. */
const addressAnnotations = ["metallb.io/loadBalancerIPs", "metallb.universe.tf/loadBalancerIPs"];

/** The addresses of a Service, in canonical form. */
export function addressesOf({ status }: Service): string[] {
  const ingress = status?.loadBalancer?.ingress ?? [];
  return ingress.flatMap(({ ip }) =>
    ip !== undefined && parseIpAddress(ip) !== undefined ? normaliseIpAddress(ip) : [],
  );
}

/** Whether Butler assigns the Service's address. A class selects another implementation. */
export function wantsAddress(service: Service): boolean {
  const { spec, metadata } = service;
  const pool = metadata.annotations?.[poolAnnotation] ?? metalLbPoolName;
  const isOurs = spec.loadBalancerClass === undefined && pool === metalLbPoolName;
  return spec.type === "LoadBalancer" && isOurs && !isBeingDeleted(service);
}

/** Whether a Service has an address, from Butler or another controller. */
export function isServed({ status }: Service): boolean {
  return (status?.loadBalancer?.ingress ?? []).length > 0;
}

/** The address that a Service requests; an invalid address cannot be assigned. */
export function requestedAddress({ metadata, spec }: Service): string | undefined {
  const annotated = addressAnnotations.flatMap((name) => metadata.annotations?.[name] ?? []);
  const [first] = (annotated[0] ?? spec.loadBalancerIP ?? "").split(",");
  const text = first?.trim();
  if (!text) return undefined;
  return parseIpAddress(text) === undefined ? text : normaliseIpAddress(text);
}

/** The primary address family of a Service. */
export function familyOf({ spec }: Service): 4 | 6 {
  return spec.ipFamilies?.[0] === "IPv6" ? 6 : 4;
}
