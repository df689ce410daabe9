import { endpointText } from "@butler/std";
import { describe, expect, it } from "vitest";
import { type AnnouncedEndpoint, announcedEndpoint } from "./announced-endpoint.ts";
import {
  aControlPlane,
  aService,
  type ControlPlaneTraits,
  type ServiceTraits,
} from "./testing/tenant-control-planes.ts";

interface Row {
  readonly name: string;
  readonly traits: ControlPlaneTraits;
  /** Null when there is no Service. */
  readonly service: ServiceTraits | null;
  /** `host:port advertised as address`, or the reason for waiting. */
  readonly is: string;
}

const ingress = (hostname: string) => ({ ingress: { hostname } });
const gateway = { gateway: { hostname: "blue.k8s.example.com", parentRefs: [{ name: "edge" }] } };
const ownGateway = { gateway: { hostname: "blue.k8s.example.com" } };
const balanced = { serviceType: "LoadBalancer" } as const;

const rows: readonly Row[] = [
  { name: "ClusterIP", traits: {}, service: {}, is: "10.96.7.7:6443 as 10.96.7.7" },
  { name: "no Service", traits: {}, service: null, is: "WaitingForService" },
  { name: "no cluster address", traits: {}, service: { clusterIPs: [] }, is: "WaitingForClusterAddress" },
  { name: "a headless Service", traits: {}, service: { clusterIPs: ["None"] }, is: "WaitingForClusterAddress" },
  {
    name: "NodePort",
    traits: { serviceType: "NodePort", networkProfile: { port: 31_443, address: "192.0.2.1" } },
    service: {},
    is: "192.0.2.1:31443 as 192.0.2.1",
  },
  {
    name: "NodePort without an address",
    traits: { serviceType: "NodePort", networkProfile: { port: 31_443 } },
    service: {},
    is: "10.96.7.7:31443 as 10.96.7.7",
  },
  {
    name: "an address needs no Service",
    traits: { networkProfile: { address: "192.0.2.1" } },
    service: null,
    is: "192.0.2.1:6443 as 192.0.2.1",
  },
  {
    name: "an address wins over the load balancer",
    traits: { ...balanced, networkProfile: { address: "192.0.2.1" } },
    service: { ingress: [{ ip: "203.0.113.9" }] },
    is: "192.0.2.1:6443 as 192.0.2.1",
  },
  {
    name: "an address that is a DNS name",
    traits: { ...balanced, networkProfile: { address: "api.example.com" } },
    service: {},
    is: "api.example.com:6443 as 10.96.7.7",
  },
  {
    name: "an IPv6 address",
    traits: { networkProfile: { address: "2001:db8::1" } },
    service: null,
    is: "[2001:db8::1]:6443 as 2001:db8::1",
  },
  {
    name: "a load balancer's IP",
    traits: balanced,
    service: { ingress: [{ ip: "203.0.113.9" }] },
    is: "203.0.113.9:6443 as 203.0.113.9",
  },
  {
    name: "a load balancer's hostname, as AWS gives",
    traits: balanced,
    service: { ingress: [{ hostname: "abc.elb.eu-central-1.amazonaws.com" }] },
    is: "abc.elb.eu-central-1.amazonaws.com:6443 as 10.96.7.7",
  },
  {
    name: "a load balancer with both uses the IP",
    traits: balanced,
    service: { ingress: [{ hostname: "lb.example.com" }, { ip: "203.0.113.9" }] },
    is: "203.0.113.9:6443 as 203.0.113.9",
  },
  { name: "no load balancer yet", traits: balanced, service: {}, is: "WaitingForLoadBalancer" },
  { name: "an entry without an address", traits: balanced, service: { ingress: [{}] }, is: "WaitingForLoadBalancer" },
  {
    name: "Ingress",
    traits: ingress("blue.k8s.example.com"),
    service: {},
    is: "blue.k8s.example.com:443 as 10.96.7.7",
  },
  {
    name: "Ingress with a port",
    traits: ingress("blue.k8s.example.com:8443"),
    service: {},
    is: "blue.k8s.example.com:8443 as 10.96.7.7",
  },
  {
    name: "Ingress before the load balancer of its Service",
    traits: { ...balanced, ...ingress("blue.k8s.example.com") },
    service: { ingress: [{ ip: "203.0.113.9" }] },
    is: "blue.k8s.example.com:443 as 10.96.7.7",
  },
  {
    name: "Ingress with an advertised address",
    traits: { ...ingress("blue.k8s.example.com"), networkProfile: { address: "192.0.2.1" } },
    service: null,
    is: "blue.k8s.example.com:443 as 192.0.2.1",
  },
  {
    name: "Ingress without a Service",
    traits: ingress("blue.k8s.example.com"),
    service: null,
    is: "WaitingForService",
  },
  {
    name: "Gateway listens at the control plane's port",
    traits: { ...gateway, networkProfile: { port: 8443 } },
    service: {},
    is: "blue.k8s.example.com:8443 as 10.96.7.7",
  },
  {
    name: "the SNI gateway listens at its own port",
    traits: { ...ownGateway, networkProfile: { port: 8443 } },
    service: {},
    is: "blue.k8s.example.com:6443 as 10.96.7.7",
  },
];

function summary(endpoint: AnnouncedEndpoint): string {
  if (endpoint.kind === "waiting") return endpoint.reason;
  return `${endpointText(endpoint)} as ${endpoint.advertiseAddress}`;
}

describe("the announced endpoint", () => {
  it.each(rows)("$name", ({ traits, service, is }) => {
    expect(summary(announcedEndpoint(aControlPlane(traits), service === null ? undefined : aService(service)))).toBe(
      is,
    );
  });

  it("reports what it waits for and what to do about it", () => {
    const networkProfile = { loadBalancerClass: "example.com/lb" };
    expect(announcedEndpoint(aControlPlane({ ...balanced, networkProfile }), aService())).toEqual({
      kind: "waiting",
      reason: "WaitingForLoadBalancer",
      message:
        "waiting for a load balancer address for Service default/blue. Check that a controller for class example.com/lb is running, " +
        "or set networkProfile.address or another serviceType.",
    });
  });

  it("lists every further address once, without the announced host", () => {
    const service = aService({
      clusterIPs: ["10.96.7.7", "fd00::7"],
      ingress: [{ ip: "203.0.113.9" }, { hostname: "lb.example.com" }],
    });
    expect(announcedEndpoint(aControlPlane(balanced), service)).toMatchObject({
      host: "203.0.113.9",
      alternatives: ["10.96.7.7", "fd00::7", "lb.example.com"],
    });
    expect(announcedEndpoint(aControlPlane(ownGateway), service)).toMatchObject({
      alternatives: ["10.96.7.7", "fd00::7", "203.0.113.9", "lb.example.com"],
    });
  });

  it("uses the configured port of the SNI gateway", () => {
    const endpoint = announcedEndpoint(aControlPlane(ownGateway), aService(), { sniGatewayPort: 443 });
    expect(summary(endpoint)).toBe("blue.k8s.example.com:443 as 10.96.7.7");
  });
});
