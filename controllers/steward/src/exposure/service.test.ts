import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { planService, portNamed, reservedPortNames } from "./service.ts";
import { aControlPlane } from "./testing/tenant-control-planes.ts";

const additionalPort = (name: string, port: number) => ({ name, port, targetPort: port, protocol: "TCP" as const });

describe("the Service of a control plane", () => {
  it("selects the pods by their name label and has Steward's labels", () => {
    const { metadata, spec } = planService(aControlPlane());
    expect(metadata).toEqual({
      name: "blue",
      namespace: "default",
      labels: {
        "steward.butlerlabs.dev/project": "steward",
        "steward.butlerlabs.dev/name": "blue",
        "steward.butlerlabs.dev/component": "service",
      },
    });
    expect(spec).toEqual({
      type: "ClusterIP",
      selector: { "steward.butlerlabs.dev/name": "blue" },
      ports: [{ name: "kube-apiserver", port: 6443, targetPort: 6443, protocol: "TCP" }],
    });
  });

  it("adds labels and annotations without overriding Steward's own", () => {
    const additionalMetadata = {
      labels: { team: "red", "steward.butlerlabs.dev/name": "another" },
      annotations: { "example.com/pool": "public" },
    };
    const { metadata } = planService(aControlPlane({ service: { additionalMetadata } }));
    expect(metadata.labels).toMatchObject({ team: "red", "steward.butlerlabs.dev/name": "blue" });
    expect(metadata.annotations).toEqual({ "example.com/pool": "public" });
  });

  it("has the same number as node port when the type is NodePort", () => {
    const { spec } = planService(aControlPlane({ serviceType: "NodePort", networkProfile: { port: 31_443 } }));
    expect(spec.ports).toEqual([
      { name: "kube-apiserver", port: 31_443, targetPort: 31_443, protocol: "TCP", nodePort: 31_443 },
    ]);
  });

  it.each([
    ["LoadBalancer", { loadBalancerClass: "metallb", loadBalancerSourceRanges: ["203.0.113.0/24"] }],
    ["ClusterIP", {}],
  ] as const)("of type %s sets class and source ranges only where they apply", (serviceType, expected) => {
    const networkProfile = { loadBalancerClass: "metallb", loadBalancerSourceRanges: ["203.0.113.0/24"] };
    const { spec } = planService(aControlPlane({ serviceType, networkProfile }));
    const { type: _type, selector: _selector, ports: _ports, ...rest } = spec;
    expect(rest).toEqual(expected);
  });

  it.each([
    ["ClusterIP", "10.40.1.100", true, ["10.40.1.100"]],
    ["NodePort", "10.40.1.100", true, ["10.40.1.100"]],
    ["LoadBalancer", "10.40.1.100", true, undefined],
    ["ClusterIP", "10.40.1.100", false, undefined],
    ["ClusterIP", "blue.example.com", true, undefined],
  ] as const)("of type %s with address %s, allowed %s: external IPs %s", (serviceType, address, allowed, expected) => {
    const networkProfile = { address, allowAddressAsExternalIP: allowed };
    expect(planService(aControlPlane({ serviceType, networkProfile })).spec.externalIPs).toEqual(expected);
  });

  it("finds the API server port by name, whatever the order of ports", () => {
    const name = fc
      .stringMatching(/^[a-z]([-a-z0-9]{0,10}[a-z0-9])?$/)
      .filter((text) => !reservedPortNames.includes(text));
    const ports = fc.uniqueArray(fc.record({ name, port: fc.integer({ min: 1, max: 65_535 }) }), {
      selector: ({ name: of }) => of,
    });
    fc.assert(
      fc.property(ports, fc.integer({ min: 1, max: 65_535 }), (additional, port) => {
        const additionalPorts = additional.map((one) => additionalPort(one.name, one.port));
        const service = planService(aControlPlane({ service: { additionalPorts }, networkProfile: { port } }));
        expect(portNamed(service, "kube-apiserver")?.port).toBe(port);
        for (const one of additional) expect(portNamed(service, one.name)?.port).toBe(one.port);
        expect(service.spec.ports).toHaveLength(additional.length + 1);
      }),
    );
  });

  it.each(reservedPortNames)("rejects an additional port named %s", (name) => {
    const additionalPorts = [additionalPort(name, 1234)];
    expect(() => planService(aControlPlane({ service: { additionalPorts } }))).toThrow(
      `the name of the additional port ${name} is already in use`,
    );
  });
});
