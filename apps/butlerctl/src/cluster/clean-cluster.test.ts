import { TenantCluster } from "@butler/api";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { aCluster } from "../testing/blue-cluster.ts";
import { cleanCluster, withoutDefaults } from "./clean-cluster.ts";

describe("cluster export", () => {
  it("omits what the API server sets, and nothing else", () => {
    const clean = cleanCluster(
      aCluster(
        {
          kubernetesVersion: "v1.36.3",
          teamRef: { name: "payments" },
          workers: { replicas: 2, machineTemplate: { cpu: 4 } },
          workerPools: [{ name: "gpu", replicas: 0 }],
        },
        {
          labels: { tier: "gold", "butler.butlerlabs.dev/environment": "dev", "helm.sh/chart": "x" },
          annotations: {
            "butler.butlerlabs.dev/creator-email": "ada@example.com",
            "butler.butlerlabs.dev/deletion-protection": "true",
            "kubectl.kubernetes.io/last-applied-configuration": "{}",
          },
          resourceVersion: "7",
          finalizers: ["butler.butlerlabs.dev/tenantcluster"],
        },
      ),
    );
    expect(clean).toEqual({
      apiVersion: TenantCluster.apiVersion,
      kind: "TenantCluster",
      metadata: {
        name: "blue",
        namespace: "payments",
        labels: { tier: "gold", "butler.butlerlabs.dev/environment": "dev" },
        annotations: { "butler.butlerlabs.dev/deletion-protection": "true" },
      },
      spec: {
        kubernetesVersion: "v1.36.3",
        teamRef: { name: "payments" },
        workers: { replicas: 2, machineTemplate: { cpu: 4 } },
        workerPools: [{ name: "gpu", replicas: 0 }],
      },
    });
  });

  it("omits defaulted values with leavesOpen, and keeps values that were changed since", () => {
    const origins = {
      "spec.kubernetesVersion": { value: "v1.36.3", from: "platform" },
      "spec.workers.replicas": { value: 3, from: "team" },
      "spec.workers.machineTemplate.cpu": { value: 4, from: "cluster" },
      "spec.providerConfigRef.name": { value: "local", from: "platform" },
    };
    const cluster = aCluster(
      {
        kubernetesVersion: "v1.36.3",
        providerConfigRef: { name: "local", namespace: "butler-system" },
        workers: { replicas: 5, machineTemplate: { cpu: 4 } },
      },
      { annotations: { "butler.butlerlabs.dev/value-origins": JSON.stringify(origins) } },
    );
    expect(cleanCluster(cluster, { leavesOpen: true, as: "green" })).toMatchObject({
      metadata: { name: "green" },
      spec: { workers: { replicas: 5, machineTemplate: { cpu: 4 } } },
    });
    const { spec } = cleanCluster(cluster, { leavesOpen: true });
    expect(spec).not.toHaveProperty("kubernetesVersion");
    expect(spec).not.toHaveProperty("providerConfigRef");
    expect(cleanCluster(cluster).spec).toMatchObject({ kubernetesVersion: "v1.36.3" });
  });

  it("recreates the same cluster from a minimal manifest, for any spec", () => {
    const specs = fc.record(
      {
        kubernetesVersion: fc.constantFrom("v1.35.2", "v1.36.3"),
        paused: fc.boolean(),
        controlPlane: fc.record({ replicas: fc.constantFrom(1, 2, 3), externalCloudProvider: fc.boolean() }),
        workers: fc.record(
          {
            replicas: fc.integer({ min: 1, max: 9 }),
            machineTemplate: fc.record(
              {
                cpu: fc.integer({ min: 1, max: 8 }),
                memory: fc.constantFrom("8Gi", "16Gi"),
                os: fc.record({ type: fc.constantFrom("rocky", "talos") }),
              },
              { requiredKeys: [] },
            ),
          },
          { requiredKeys: [] },
        ),
        networking: fc.record({ podCIDR: fc.constantFrom("10.244.0.0/16", "10.245.0.0/16") }),
        deletionDeadline: fc.constantFrom("30m", "10m"),
        workspaces: fc.record({ enabled: fc.boolean() }),
        workerPools: fc.uniqueArray(
          fc.record(
            {
              name: fc.constantFrom("a", "b", "c"),
              replicas: fc.nat(3),
              machineTemplate: fc.record({ cpu: fc.constant(2) }),
            },
            { requiredKeys: ["name", "replicas"] },
          ),
          { selector: ({ name }) => name },
        ),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(specs, (given) => {
        const { spec } = aCluster(given);
        const short = withoutDefaults(spec);
        expect(aCluster(short as object).spec).toEqual(spec);
        expect(withoutDefaults(short)).toEqual(short);
        expect(JSON.stringify(short).length).toBeLessThanOrEqual(JSON.stringify(given).length);
      }),
      { numRuns: 60 },
    );
  });
});
