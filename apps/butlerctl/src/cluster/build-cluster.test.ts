import { TenantCluster } from "@butler/api";
import { parseObject } from "@butler/resource";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildCluster, type NewClusterOptions, parseManifest } from "./build-cluster.ts";

const manifestText = `
apiVersion: butler.butlerlabs.dev/v1alpha1
kind: TenantCluster
metadata:
  name: green
  namespace: payments
  uid: of-another-cluster
  labels: { tier: gold }
spec:
  kubernetesVersion: v1.35.1
  workers: { replicas: 3, machineTemplate: { cpu: 2, os: { type: talos } } }
  addons: { cni: { version: 1.18.2 } }
`;

describe("buildCluster", () => {
  it("sets only the given values, so that environment, team and platform default the rest", () => {
    expect(buildCluster({ name: "blue", namespace: "payments" })).toEqual({
      apiVersion: TenantCluster.apiVersion,
      kind: "TenantCluster",
      metadata: { name: "blue", namespace: "payments" },
      spec: {},
    });
  });

  it("maps every option to its field", () => {
    const options: NewClusterOptions = {
      name: "blue",
      namespace: "payments",
      team: "payments",
      environment: "dev",
      kubernetesVersion: "1.36.3",
      provider: "infra/lab",
      workers: 5,
      cpu: 8,
      memory: "32Gi",
      disk: "200Gi",
      os: "rocky:9.6",
      image: "images/rocky",
      schematicId: "abc",
      podCidr: "10.1.0.0/16",
      serviceCidr: "10.2.0.0/16",
      lbPool: "10.40.1.100-10.40.1.120",
    };
    expect(buildCluster(options)).toMatchObject({
      metadata: { labels: { "butler.butlerlabs.dev/environment": "dev" } },
      spec: {
        kubernetesVersion: "v1.36.3",
        teamRef: { name: "payments" },
        providerConfigRef: { namespace: "infra", name: "lab" },
        workers: {
          replicas: 5,
          machineTemplate: {
            cpu: 8,
            memory: "32Gi",
            diskSize: "200Gi",
            os: { type: "rocky", version: "9.6", imageRef: "images/rocky", schematicID: "abc" },
          },
        },
        networking: {
          podCIDR: "10.1.0.0/16",
          serviceCIDR: "10.2.0.0/16",
          loadBalancerPool: { start: "10.40.1.100", end: "10.40.1.120" },
        },
      },
    });
  });

  it("overrides a manifest with options and keeps the rest", () => {
    const built = buildCluster({ workers: 7, cpu: 4, environment: "dev" }, parseManifest(manifestText, "green.yaml"));
    expect(built).toMatchObject({
      metadata: {
        name: "green",
        namespace: "payments",
        labels: { tier: "gold", "butler.butlerlabs.dev/environment": "dev" },
      },
      spec: {
        kubernetesVersion: "v1.35.1",
        workers: { replicas: 7, machineTemplate: { cpu: 4, os: { type: "talos" } } },
        addons: { cni: { version: "1.18.2" } },
      },
    });
    expect(built.metadata).not.toHaveProperty("uid");
  });

  it("accepts one address as a pool", () => {
    expect(buildCluster({ name: "a", lbPool: "10.0.0.1" }).spec.networking?.loadBalancerPool).toEqual({
      start: "10.0.0.1",
      end: "10.0.0.1",
    });
  });

  it.each([
    [{}, "the cluster name is required"],
    [{ name: "a", kubernetesVersion: "1.2.3" }, "--kubernetes-version v1.2.3 is not supported"],
    [{ name: "a", kubernetesVersion: "newest" }, "must be a full version"],
    [{ name: "a", lbPool: "1-2-3" }, "--lb-pool takes an address or FIRST-LAST"],
  ])("refuses %o", (options, message) => {
    expect(() => buildCluster(options)).toThrow(message);
  });

  it("builds an object that matches the schema, for any options", () => {
    const options = fc.record(
      {
        workers: fc.integer({ min: 1, max: 100 }),
        cpu: fc.integer({ min: 1, max: 64 }),
        memory: fc.constantFrom("4Gi", "8192Mi"),
        disk: fc.constantFrom("50Gi", "1Ti"),
        os: fc.constantFrom("rocky", "talos:v1.9.3"),
        kubernetesVersion: fc.constantFrom("v1.34.1", "1.36.3"),
        provider: fc.constantFrom("lab", "infra/lab"),
        team: fc.constantFrom("payments", "search"),
        lbPool: fc.constantFrom("10.0.0.1", "10.0.0.1-10.0.0.9"),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(options, (given) => {
        const cluster = parseObject(TenantCluster, buildCluster({ name: "blue", namespace: "payments", ...given }));
        expect(cluster.spec.workers.replicas).toBe(given.workers);
        expect(cluster.spec.workers.machineTemplate.cpu).toBe(given.cpu);
      }),
    );
  });
});

describe("parseManifest", () => {
  it.each([
    ["", "it is empty"],
    ["---\n", "it is empty"],
    ["kind: Pod\napiVersion: v1\n", "it is not a TenantCluster"],
    ["a: [1\n", "it is not valid YAML"],
    [`${manifestText}---${manifestText}`, "it contains more than one document"],
    ["just text", "it is not a TenantCluster"],
    [
      "apiVersion: butler.butlerlabs.dev/v1alpha1\nkind: TenantCluster\nspec: []\n",
      "metadata and spec in it must be objects",
    ],
  ])("refuses %j", (text, message) => {
    expect(() => parseManifest(text, "it")).toThrow(message);
  });

  it("ignores separators around the document", () => {
    expect(parseManifest(`---${manifestText}---\n`, "it").metadata.name).toBe("green");
  });

  it("reads JSON, too", () => {
    const text = JSON.stringify({
      apiVersion: TenantCluster.apiVersion,
      kind: "TenantCluster",
      metadata: { name: "a" },
    });
    expect(parseManifest(text, "it")).toMatchObject({ metadata: { name: "a" }, spec: {} });
  });
});
