import type { TenantControlPlane } from "@butler/api";
import { describe, expect, it } from "vitest";
import { exposureModeOf } from "./exposure-mode.ts";
import { exposureObjects } from "./exposure-objects.ts";
import { hostnameConflict } from "./hostname-claims.ts";
import { aControlPlane, type ControlPlaneTraits } from "./testing/tenant-control-planes.ts";
import { validateExposure } from "./validate-exposure.ts";

const port = (name: string, number: number, protocol: "TCP" | "UDP" = "TCP") => {
  return { name, port: number, targetPort: number, protocol };
};

/** Objects of an older CRD may lack what today's requires. */
function withHost(field: "ingress" | "gateway", hostname: string | undefined): TenantControlPlane {
  const tcp = aControlPlane();
  const controlPlane = { ...tcp.spec.controlPlane, [field]: { hostname } };
  return { ...tcp, spec: { ...tcp.spec, controlPlane } };
}

describe("validateExposure", () => {
  it.each<[string, ControlPlaneTraits]>([
    ["ClusterIP", {}],
    ["NodePort in range", { serviceType: "NodePort", networkProfile: { port: 30_000 } }],
    [
      "LoadBalancer",
      {
        serviceType: "LoadBalancer",
        networkProfile: { loadBalancerClass: "x", loadBalancerSourceRanges: ["192.0.2.0/24"] },
      },
    ],
    ["Ingress with a port", { ingress: { hostname: "blue.example.com:8443" } }],
    ["Gateway", { gateway: { hostname: "blue.example.com", parentRefs: [{ name: "a" }, { name: "b" }] } }],
    ["the SNI gateway", { gateway: { hostname: "blue.example.com" } }],
    ["the same number in another protocol", { service: { additionalPorts: [port("dns", 6443, "UDP")] } }],
    ["an external address", { networkProfile: { address: "192.0.2.1", allowAddressAsExternalIP: true } }],
  ])("finds nothing wrong with %s", (_name, traits) => {
    expect(validateExposure(aControlPlane(traits))).toEqual([]);
  });

  it.each<[string, ControlPlaneTraits, string[]]>([
    [
      "both ingress and gateway",
      { ingress: { hostname: "a.example.com" }, gateway: { hostname: "a.example.com" } },
      ["spec.controlPlane sets both ingress and gateway, which are mutually exclusive; set one of them"],
    ],
    [
      "NodePort with the default port",
      { serviceType: "NodePort" },
      ["spec.networkProfile.port is 6443 but must be between 30000 and 32767 with serviceType NodePort"],
    ],
    [
      "reserved and repeated ports",
      { service: { additionalPorts: [port("konnectivity-server", 8132), port("one", 6443), port("one", 9090)] } },
      [
        "spec.controlPlane.service.additionalPorts[konnectivity-server] has a name that is reserved for Steward",
        "spec.controlPlane.service.additionalPorts[one] has the port TCP 6443, which is already used by kube-apiserver",
        "spec.controlPlane.service.additionalPorts[one] has a duplicate name; port names must be unique",
      ],
    ],
    [
      "the same parent twice, once with its explicit namespace",
      { gateway: { hostname: "a.example.com", parentRefs: [{ name: "a" }, { name: "a", namespace: "default" }] } },
      ["spec.controlPlane.gateway.parentRefs lists the same parent twice; list each parent once"],
    ],
    [
      "a parent with a listener",
      { gateway: { hostname: "a.example.com", parentRefs: [{ name: "a", sectionName: "tls" }] } },
      ["spec.controlPlane.gateway.parentRefs must not set port or sectionName; Steward sets them for each route"],
    ],
    [
      "load balancer settings without a load balancer",
      { networkProfile: { loadBalancerClass: "x", loadBalancerSourceRanges: ["192.0.2.0/24"] } },
      [
        "spec.networkProfile.loadBalancerClass may only be set when serviceType is LoadBalancer",
        "spec.networkProfile.loadBalancerSourceRanges may only be set when serviceType is LoadBalancer",
      ],
    ],
    [
      "an external address that is a DNS name",
      { networkProfile: { address: "api.example.com", allowAddressAsExternalIP: true } },
      ["spec.networkProfile.allowAddressAsExternalIP requires networkProfile.address to be an IP address"],
    ],
  ])("finds %s", (_name, traits, expected) => {
    expect(validateExposure(aControlPlane(traits))).toEqual(expected);
  });

  it("keeps to the cluster's own range of node ports", () => {
    const tcp = aControlPlane({ serviceType: "NodePort" });
    expect(validateExposure(tcp, { nodePortRange: { first: 6000, last: 7000 } })).toEqual([]);
  });

  it.each<[string | undefined, string]>([
    [undefined, "is required: clients connect to this DNS name"],
    ["", "is required: clients connect to this DNS name"],
    ["*.k8s.example.com", 'must identify one control plane; the wildcard "*.k8s.example.com" is not allowed'],
    ["192.0.2.1", "must be a DNS name; clients that connect to the IP address 192.0.2.1 send no server name"],
    ["Blue.example.com", 'must be a lowercase DNS name, such as blue.k8s.example.com; got "Blue.example.com"'],
    ["blue`) || HostSNI(`*", "must identify one control plane; the wildcard"],
    ["blue`) || HostSNI(`red.example.com", "must be a lowercase DNS name, such as"],
  ])("rejects the host %j, and creates no route for it", (host, message) => {
    for (const field of ["ingress", "gateway"] as const) {
      const tcp = withHost(field, host);
      expect(validateExposure(tcp).join()).toContain(`spec.controlPlane.${field}.hostname`);
      expect(validateExposure(tcp).join()).toContain(message);
      expect(() => exposureObjects(tcp)).toThrow("the control plane's hostname");
      expect(() => exposureModeOf(tcp)).toThrow(message);
    }
  });

  it.each(["blue.example.com:0", "blue.example.com:65536", "blue.example.com:x", "blue.example.com:"])(
    "rejects the port of %s",
    (hostname) => {
      expect(validateExposure(withHost("ingress", hostname))).toEqual([
        "spec.controlPlane.ingress.hostname must have a port from 1 to 65535 after the colon",
      ]);
    },
  );
});

describe("a host that two control planes claim", () => {
  const wanting = (name: string, creationTimestamp: string, hostname = "api.example.com") =>
    aControlPlane({ metadata: { name, creationTimestamp }, gateway: { hostname } });
  const older = wanting("older", "2026-01-01T00:00:00Z");
  const younger = wanting("younger", "2026-01-02T00:00:00Z");
  const taken = "hostname api.example.com is already used by control plane default/older; choose another one";

  it("belongs to the older one", () => {
    expect(hostnameConflict(younger, [older, younger])).toBe(taken);
    expect(hostnameConflict(older, [younger, older])).toBeUndefined();
  });

  it("cannot be taken over by an older one that changes its host", () => {
    const message = hostnameConflict(older, [older, younger], { isNewClaim: true });
    expect(message).toContain("is already used by control plane default/younger");
  });

  it("is compared across ingress and gateway", () => {
    const byIngress = aControlPlane({
      metadata: { name: "third", creationTimestamp: "2026-01-03T00:00:00Z" },
      ingress: { hostname: "api.example.com:8443" },
    });
    expect(hostnameConflict(byIngress, [older])).toBe(taken);
    expect(hostnameConflict(wanting("other", "2026-01-03T00:00:00Z", "other.example.com"), [older])).toBeUndefined();
    expect(hostnameConflict(aControlPlane(), [aControlPlane({ metadata: { name: "red" } })])).toBeUndefined();
  });

  it("is assigned by UID when both were created in the same second", () => {
    const twin = (name: string, uid: string) =>
      aControlPlane({ metadata: { name, uid }, gateway: { hostname: "api.example.com" } });
    const [first, second] = [twin("zz", "1"), twin("aa", "2")];
    expect(hostnameConflict(first, [second])).toBeUndefined();
    expect(hostnameConflict(second, [first])).toContain("default/zz");
  });
});
