import { defineController, type ObserveContext } from "@butler/controller";
import { keyText } from "@butler/resource";
import type { IpRange } from "@butler/std";
import { Service } from "../core-kinds.ts";
import { addressesOf, type Observed, plan } from "./plan.ts";

/** Settings of the controller. */
export interface LoadBalancerPorts {
  /** The network to assign addresses from. */
  readonly loadBalancerRange: IpRange;
}

function observe({ primary, read, ports }: ObserveContext<typeof Service, LoadBalancerPorts>): Observed {
  const others = read.list(Service).filter((other) => keyText(other.metadata) !== keyText(primary.metadata));
  const taken = others.flatMap(({ status }) => status?.loadBalancer?.ingress?.flatMap(({ ip }) => ip ?? []) ?? []);
  return { service: primary, range: addressesOf(ports.loadBalancerRange), taken: new Set(taken) };
}

/** Assigns addresses to Services of type LoadBalancer. kube-proxy forwards the traffic. */
export const loadBalancerController = defineController<typeof Service, Observed, never, LoadBalancerPorts>({
  name: "local-load-balancer",
  primary: Service,
  // One at a time: two Services reconciled concurrently could both see the same address as free.
  concurrency: 1,
  observe,
  plan,
  perform: {},
});
