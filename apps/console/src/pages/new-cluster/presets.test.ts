import { defaultKubernetesVersion } from "@butler/api";
import { describe, expect, it } from "vitest";
import { filledSpec, givenAddons, presetsOf } from "./presets.ts";
import { aTeam } from "../../testing/a-team.ts";

const team = aTeam({
  clusterDefaults: { kubernetesVersion: "v1.34.1", workerCount: 5, workerMemoryGi: 8, defaultAddons: ["a", "b"] },
  resourceLimits: { defaultNodeCount: 2, defaultCPUPerNode: "1500m" },
  environments: [
    { name: "dev", clusterCount: 0, clusterDefaults: { workerCount: 1, workerDiskGi: 20, defaultAddons: ["b", "c"] } },
  ],
});

describe("presetsOf", () => {
  it("prefers the environment over the team over the platform", () => {
    expect(presetsOf(team, "dev")).toEqual({
      kubernetesVersion: { value: "v1.34.1", from: "team payments" },
      "workers.replicas": { value: "1", from: "environment dev" },
      "workers.machineTemplate.cpu": { value: "2", from: "team payments" },
      "workers.machineTemplate.memory": { value: "8Gi", from: "team payments" },
      "workers.machineTemplate.diskSize": { value: "20Gi", from: "environment dev" },
    });
  });

  it("falls back to the platform", () => {
    const presets = presetsOf(aTeam(), "");
    expect(presets.kubernetesVersion).toEqual({ value: defaultKubernetesVersion, from: "the platform" });
    expect(Object.values(presets).map(({ value }) => value)).toEqual([
      defaultKubernetesVersion,
      "3",
      "4",
      "16Gi",
      "100Gi",
    ]);
  });

  it("treats 0 as unset, and uses defaultNodeCount after the cluster defaults", () => {
    const other = aTeam({ clusterDefaults: { workerCount: 0 }, resourceLimits: { defaultNodeCount: 7 } });
    expect(presetsOf(other, "")["workers.replicas"]).toEqual({ value: "7", from: "team payments" });
  });
});

it("lists each add-on once, with its first source", () => {
  expect(givenAddons(team, "dev")).toEqual([
    { value: "a", from: "team payments" },
    { value: "b", from: "team payments" },
    { value: "c", from: "environment dev" },
  ]);
});

it("fills in only missing values", () => {
  expect(filledSpec({ workers: { replicas: 9 } }, presetsOf(team, "dev"))).toEqual({
    kubernetesVersion: "v1.34.1",
    workers: { replicas: 9, machineTemplate: { cpu: 2, memory: "8Gi", diskSize: "20Gi" } },
  });
});
