import { describe, expect, it } from "vitest";
import { announcedEndpoint } from "./announced-endpoint.ts";
import { certificateNames } from "./certificate-names.ts";
import {
  aControlPlane,
  aService,
  type ControlPlaneTraits,
  type ServiceTraits,
} from "./testing/tenant-control-planes.ts";

function namesOf(traits: ControlPlaneTraits, service: ServiceTraits = {}, managementDomain?: string) {
  const tcp = aControlPlane(traits);
  const endpoint = announcedEndpoint(tcp, aService(service));
  if (endpoint.kind === "waiting") return expect.fail(endpoint.message);
  return certificateNames(tcp, endpoint, managementDomain === undefined ? {} : { managementDomain });
}

describe("the names of the API server's certificate", () => {
  it("include those used by the management cluster and the tenant", () => {
    expect(namesOf({})).toEqual({
      dnsNames: [
        "localhost",
        "blue",
        "blue.default",
        "blue.default.svc",
        "blue.default.svc.cluster.local",
        "kubernetes",
        "kubernetes.default",
        "kubernetes.default.svc",
        "kubernetes.default.svc.cluster.local",
      ],
      ipAddresses: ["127.0.0.1", "::1", "10.96.0.1", "10.96.7.7"],
    });
  });

  it("follow the domains of both clusters, which may differ", () => {
    const { dnsNames } = namesOf({ networkProfile: { clusterDomain: "tenant.example" } }, {}, "management.example");
    expect(dnsNames).toContain("kubernetes.default.svc.tenant.example");
    expect(dnsNames).toContain("blue.default.svc.management.example");
    expect(dnsNames.filter((name) => name.endsWith("cluster.local"))).toEqual([]);
  });

  it.each<[string, ControlPlaneTraits, ServiceTraits, string[]]>([
    [
      "LoadBalancer by IP",
      { serviceType: "LoadBalancer" },
      { ingress: [{ ip: "203.0.113.9" }] },
      ["203.0.113.9", "10.96.7.7"],
    ],
    [
      "LoadBalancer by hostname",
      { serviceType: "LoadBalancer" },
      { ingress: [{ hostname: "lb.example.com" }] },
      ["lb.example.com"],
    ],
    [
      "NodePort",
      { serviceType: "NodePort", networkProfile: { port: 31_443, address: "192.0.2.1" } },
      {},
      ["192.0.2.1"],
    ],
    ["Ingress, without its port", { ingress: { hostname: "blue.k8s.example.com:8443" } }, {}, ["blue.k8s.example.com"]],
    [
      "Gateway",
      { gateway: { hostname: "blue.k8s.example.com", parentRefs: [{ name: "edge" }] } },
      {},
      ["blue.k8s.example.com"],
    ],
    ["SNI gateway", { gateway: { hostname: "blue.k8s.example.com" } }, {}, ["blue.k8s.example.com", "10.96.7.7"]],
    [
      "names that the user adds",
      { networkProfile: { certSANs: ["*.example.com", "192.0.2.7"] } },
      {},
      ["*.example.com", "192.0.2.7"],
    ],
  ])("include those of %s", (_mode, traits, service, expected) => {
    const { dnsNames, ipAddresses } = namesOf(traits, service);
    const all = [...dnsNames, ...ipAddresses];
    expect(all).toEqual(expect.arrayContaining(expected));
    expect(new Set(all).size).toBe(all.length);
    expect(all.filter((name) => name.includes(":") && !ipAddresses.includes(name))).toEqual([]);
  });
});
