import { TenantControlPlane } from "@butler/api";
import { covers } from "@butler/controller";
import { apiVersionOf, type Kind, type KubeObject } from "@butler/resource";
import { aTestCluster, type TestCluster } from "@butler/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exposureObjects } from "./exposure-objects.ts";
import { Ingress, IngressRouteTCP, Service, TLSRoute } from "./kinds.ts";
import { planService } from "./service.ts";
import { haveCompleteCrds, installForeignCrds } from "./testing/foreign-crds.ts";
import { aControlPlane, type ControlPlaneTraits } from "./testing/tenant-control-planes.ts";

let cluster: TestCluster;

beforeAll(async () => {
  cluster = await aTestCluster({ resources: [TenantControlPlane] });
  await installForeignCrds(cluster.client);
});
afterAll(() => cluster?.stop());

function kindOf(object: KubeObject): Kind {
  const kinds: readonly Kind[] = [Service, Ingress, IngressRouteTCP, TLSRoute];
  const found = kinds.find((kind) => apiVersionOf(kind) === object.apiVersion && kind.kind === object.kind);
  return found ?? expect.fail(`unknown kind ${object.apiVersion} ${object.kind}`);
}

function apply(object: KubeObject): Promise<KubeObject> {
  return cluster.client.apply(kindOf(object), object, { fieldManager: "steward", fieldValidation: "Strict" });
}

async function readService(name: string): Promise<Service> {
  const object: KubeObject = await cluster.client.get(Service, { name, namespace: "default" });
  return object as Service;
}

const host = "blue.k8s.example.com";
const parentRefs = [{ name: "edge", namespace: "gateways" }, { name: "inner" }];
const additionalMetadata = { labels: { team: "red" }, annotations: { "example.com/note": "kept" } };

describe(`a real API server with ${haveCompleteCrds ? "the projects' own CRDs" : "the small parts of the CRDs"}`, () => {
  it.each<[string, ControlPlaneTraits, string]>([
    ["haproxy", { ingress: { hostname: host, controllerType: "haproxy", additionalMetadata } }, "Ingress"],
    ["nginx", { ingress: { hostname: host, controllerType: "nginx", ingressClassName: "nginx" } }, "Ingress"],
    ["generic", { ingress: { hostname: `${host}:8443`, controllerType: "generic" } }, "Ingress"],
    ["no controller named", { ingress: { hostname: host } }, "Ingress"],
    [
      "traefik",
      { ingress: { hostname: host, controllerType: "traefik", ingressClassName: "edge" } },
      "IngressRouteTCP",
    ],
    ["Gateway API", { gateway: { hostname: host, parentRefs, additionalMetadata } }, "TLSRoute"],
  ])("accepts the route of %s unchanged, and a second apply is a no-op", async (name, traits, kind) => {
    const tcp = aControlPlane({ ...traits, metadata: { name: name.toLowerCase().replaceAll(" ", "-") } });
    const [object, ...others] = exposureObjects(tcp);
    if (object === undefined) return expect.fail("nothing was rendered");
    expect(others).toEqual([]);
    expect(object.kind).toBe(kind);
    const first = await apply(object);
    expect(covers(first, object), JSON.stringify([first, object])).toBe(true);
    expect((await apply(object)).metadata.resourceVersion).toBe(first.metadata.resourceVersion);
  });

  it.each([IngressRouteTCP, TLSRoute])("rejects an unknown field of $kind", async (kind) => {
    const traits: ControlPlaneTraits =
      kind === TLSRoute
        ? { gateway: { hostname: host, parentRefs } }
        : { ingress: { hostname: host, controllerType: "traefik" } };
    const [route] = exposureObjects(aControlPlane(traits)) as (KubeObject & { spec: object })[];
    const wrong = { ...route, spec: { ...route?.spec, passthrough: true } } as unknown as KubeObject;
    await expect(apply(wrong)).rejects.toThrow("passthrough");
  });

  it("creates nothing for a plain Service and for the SNI gateway", () => {
    expect(exposureObjects(aControlPlane())).toEqual([]);
    expect(exposureObjects(aControlPlane({ gateway: { hostname: host } }))).toEqual([]);
    expect(exposureObjects(aControlPlane({ gateway: { hostname: host, parentRefs: [] } }))).toEqual([]);
  });

  it("changes the Service through every type, with its ports and without leftovers", async () => {
    const additionalPorts = [{ name: "admin", port: 9443, targetPort: "admin", protocol: "TCP" as const }];
    const service = { additionalPorts, additionalMetadata };
    const steps: ControlPlaneTraits[] = [
      { serviceType: "ClusterIP", networkProfile: { address: "192.0.2.1", allowAddressAsExternalIP: true } },
      { serviceType: "LoadBalancer", networkProfile: { loadBalancerSourceRanges: ["203.0.113.0/24"] }, service },
      // From the range that the API server assigns only on request.
      { serviceType: "NodePort", networkProfile: { port: 30_043 }, service },
      { serviceType: "ClusterIP" },
    ];
    for (const step of steps) {
      const desired = planService(aControlPlane(step));
      const answer = (await apply(desired)) as Service;
      expect(covers(answer, desired), JSON.stringify([answer, desired])).toBe(true);
      expect(answer.spec.ports?.map(({ name }) => name)).toEqual(desired.spec.ports?.map(({ name }) => name));
    }
    const { spec, metadata } = await readService("blue");
    expect(spec).not.toHaveProperty("externalIPs");
    expect(spec).not.toHaveProperty("loadBalancerSourceRanges");
    expect(spec.ports?.[0]).not.toHaveProperty("nodePort");
    expect(metadata.labels).not.toHaveProperty("team");
  });

  it("accepts a load balancer class", async () => {
    const networkProfile = { loadBalancerClass: "example.com/lb" };
    const answer = await apply(
      planService(aControlPlane({ metadata: { name: "classed" }, serviceType: "LoadBalancer", networkProfile })),
    );
    expect((answer as Service).spec.loadBalancerClass).toBe("example.com/lb");
  });
});

describe("the CRD of TenantControlPlanes", () => {
  const create = (traits: ControlPlaneTraits) => {
    const { uid: _uid, creationTimestamp: _at, ...metadata } = aControlPlane(traits).metadata;
    const object = { ...aControlPlane(traits), metadata };
    return cluster.client.create(TenantControlPlane, object, { dryRun: true, fieldValidation: "Strict" });
  };

  it.each<[string, ControlPlaneTraits]>([
    ["a gateway without parentRefs: the SNI gateway", { gateway: { hostname: host } }],
    ["a host with a port", { ingress: { hostname: `${host}:65535` } }],
    ["a host with a numeric label", { ingress: { hostname: "1.blue.example.com" } }],
  ])("accepts %s", async (_name, traits) => {
    expect((await create(traits)).metadata.name).toBe("blue");
  });

  it.each<[string, ControlPlaneTraits, string]>([
    ["an address as ingress host", { ingress: { hostname: "192.0.2.1:443" } }, "must be a DNS name, because"],
    ["an address as gateway host", { gateway: { hostname: "192.0.2.1" } }, "must be a DNS name, because"],
    ["port 0", { ingress: { hostname: `${host}:0` } }, "must have a port from 1 to 65535"],
    ["port 65536", { ingress: { hostname: `${host}:65536` } }, "must have a port from 1 to 65535"],
    ["a wildcard", { gateway: { hostname: "*.example.com" } }, "must be a DNS name such as"],
  ])("rejects %s", async (_name, traits, message) => {
    // Bypasses our own schema, which has the same rule.
    const plain = aControlPlane({ gateway: { hostname: host } });
    const controlPlane = { ...plain.spec.controlPlane, gateway: undefined, ...traits };
    const { uid: _uid, creationTimestamp: _at, ...metadata } = plain.metadata;
    const object = { ...plain, metadata, spec: { ...plain.spec, controlPlane } };
    await expect(cluster.client.create(TenantControlPlane, object, { dryRun: true })).rejects.toThrow(message);
  });
});
