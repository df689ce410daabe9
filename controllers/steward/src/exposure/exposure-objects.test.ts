import { describe, expect, it } from "vitest";
import { exposureObjects } from "./exposure-objects.ts";
import { aControlPlane, type ControlPlaneTraits } from "./testing/tenant-control-planes.ts";

const hostname = "blue.k8s.example.com";
const only = (traits: ControlPlaneTraits) => exposureObjects(aControlPlane(traits))[0] ?? expect.fail("no object");

describe("the objects in front of a control plane", () => {
  it.each([
    ["haproxy", { "haproxy.org/ssl-passthrough": "true" }],
    [
      "nginx",
      {
        "nginx.ingress.kubernetes.io/ssl-passthrough": "true",
        "nginx.ingress.kubernetes.io/backend-protocol": "HTTPS",
      },
    ],
    ["generic", undefined],
  ] as const)("are an Ingress that makes %s pass TLS through", (controllerType, annotations) => {
    const ingress = only({ ingress: { hostname: `${hostname}:8443`, controllerType, ingressClassName: "edge" } });
    expect(ingress).toEqual({
      apiVersion: "networking.k8s.io/v1",
      kind: "Ingress",
      metadata: {
        name: "blue",
        namespace: "default",
        labels: {
          "steward.butlerlabs.dev/project": "steward",
          "steward.butlerlabs.dev/name": "blue",
          "steward.butlerlabs.dev/component": "ingress",
        },
        ...(annotations === undefined ? {} : { annotations }),
      },
      spec: {
        ingressClassName: "edge",
        tls: [{ hosts: [hostname] }],
        rules: [
          {
            host: hostname,
            http: {
              paths: [
                {
                  path: "/",
                  pathType: "Prefix",
                  backend: { service: { name: "blue", port: { name: "kube-apiserver" } } },
                },
              ],
            },
          },
        ],
      },
    });
  });

  it("are one Traefik route for the tenant's own host, never for a name that tenants share", () => {
    const route = only({ ingress: { hostname, controllerType: "traefik" }, networkProfile: { port: 8443 } });
    expect(route).toMatchObject({
      apiVersion: "traefik.io/v1alpha1",
      kind: "IngressRouteTCP",
      spec: {
        entryPoints: ["websecure"],
        routes: [{ match: `HostSNI(\`${hostname}\`)`, services: [{ name: "blue", port: 8443 }] }],
        tls: { passthrough: true },
      },
    });
    expect(JSON.stringify(route)).not.toContain("kubernetes.default");
    expect(route.metadata).not.toHaveProperty("annotations");
  });

  it("are a TLSRoute for the API server listener of every parent", () => {
    const parentRefs = [{ name: "edge", namespace: "gateways" }, { name: "inner" }];
    const listener = { sectionName: "kube-apiserver", port: 8443 };
    const parent = { group: "gateway.networking.k8s.io", kind: "Gateway", ...listener };
    expect(only({ gateway: { hostname, parentRefs }, networkProfile: { port: 8443 } })).toMatchObject({
      apiVersion: "gateway.networking.k8s.io/v1",
      kind: "TLSRoute",
      spec: {
        parentRefs: [
          { ...parent, name: "edge", namespace: "gateways" },
          { ...parent, name: "inner" },
        ],
        hostnames: [hostname],
        rules: [{ backendRefs: [{ kind: "Service", name: "blue", port: 8443 }] }],
      },
    });
  });
});
