import { parseObject } from "@butler/resource";
import { describe, expect, it } from "vitest";
import { TenantCluster } from "./tenant-cluster.ts";
import { effectiveMachine } from "./tenant-cluster-workers.ts";

const cluster = (workers: Record<string, unknown>): TenantCluster =>
  parseObject(TenantCluster, {
    apiVersion: "butler.butlerlabs.dev/v1alpha1",
    kind: "TenantCluster",
    metadata: { name: "shop", namespace: "payments" },
    spec: { kubernetesVersion: "v1.30.2", workers },
  });

const machine = (template: Record<string, unknown>) =>
  effectiveMachine(cluster({ replicas: 1, machineTemplate: template }).spec.workers.machineTemplate);

describe("effectiveMachine", () => {
  it.each(["0", "0Gi", "0.0", 0])("reads %o as not set", (zero) => {
    expect(machine({ memory: zero, diskSize: zero })).toMatchObject({ memory: "16Gi", diskSize: "100Gi" });
  });

  it.each(["1", "8Gi", "1.5Ti", 17_179_869_184])("keeps %o", (amount) => {
    expect(machine({ memory: amount, diskSize: amount })).toMatchObject({ memory: amount, diskSize: amount });
  });

  it("reads each amount independently", () => {
    expect(machine({ memory: "0", diskSize: "40Gi" })).toMatchObject({ memory: "16Gi", diskSize: "40Gi" });
  });

  it("keeps all other fields and does not modify its input", () => {
    const template = cluster({ replicas: 1, machineTemplate: { cpu: 8, memory: "0", os: { type: "talos" } } }).spec
      .workers.machineTemplate;
    const before = structuredClone(template);
    expect(effectiveMachine(template)).toEqual({ ...before, memory: "16Gi", diskSize: "100Gi" });
    expect(template).toEqual(before);
  });
});

describe("TenantCluster", () => {
  it("sets all defaults if only version and number of workers are given", () => {
    expect(cluster({ replicas: 1 }).spec).toEqual({
      kubernetesVersion: "v1.30.2",
      controlPlane: { replicas: 1, externalCloudProvider: true },
      workers: {
        replicas: 1,
        machineTemplate: { os: { type: "rocky", version: "9.5" } },
      },
      networking: { podCIDR: "10.244.0.0/16", serviceCIDR: "10.96.0.0/12" },
      managementPolicy: { mode: "Active" },
      addons: {},
      paused: false,
      deletionDeadline: "30m",
    });
  });
});
