import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addressInRange } from "./address-range.ts";
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
  it("are those by which the management cluster and the tenant find it", () => {
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
      "what the user adds",
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

describe("an address of a range", () => {
  it.each([
    ["10.96.0.0/16", 1, "10.96.0.1"],
    ["10.96.3.4/12", 10, "10.96.0.10"],
    ["10.0.0.255/24", 255, "10.0.0.255"],
    ["fd00:10:96::/112", 1, "fd00:10:96::1"],
    ["2001:db8::ffff/64", 16, "2001:db8::10"],
    ["::ffff:10.0.0.0/104", 1, "::ffff:a00:1"],
  ])("%s number %i is %s", (cidr, offset, expected) => {
    expect(addressInRange(cidr, offset)).toBe(expected);
  });

  it.each(["10.96.0.0", "10.96.0.0/33", "10.96.0/16", "fd00::/129", "/16", "10.96.0.0/1x", ""])(
    "%j is none",
    (cidr) => {
      expect(() => addressInRange(cidr, 1)).toThrow("is not a CIDR");
    },
  );

  it("has to lie in it", () => {
    expect(() => addressInRange("10.96.0.0/30", 4)).toThrow("has no address number 4");
  });

  it("is found for any IPv6 address in any spelling", () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        expect(addressInRange(`${address}/128`, 0)).toBe(new URL(`http://[${address}]`).hostname.slice(1, -1));
      }),
    );
  });
});
