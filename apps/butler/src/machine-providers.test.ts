import { providerTypes, TenantCluster } from "@butler/api";
import { infrastructureResources, machineProviderOf, unsupportedSystem } from "@butler/provider";
import { parseObject } from "@butler/resource";
import { describe, expect, it } from "vitest";
import { machineProviders } from "./machine-providers.ts";

const systems = ["rocky", "flatcar", "talos", "kairos", "bottlerocket"] as const;
const supported = ["harvester rocky", "nutanix rocky", "local rocky"];
const pairs = providerTypes.flatMap((provider) => systems.map((system) => [provider, system] as const));

describe("machineProviders", () => {
  it.each(systems)("covers every operating system of a TenantCluster: %s", (type) => {
    const spec = { workers: { machineTemplate: { os: { type } } } };
    const metadata = { name: "blue" };
    const { apiVersion, kind } = TenantCluster;
    const cluster = parseObject(TenantCluster, { apiVersion, kind, metadata, spec });
    expect(cluster.spec.workers.machineTemplate.os.type).toBe(type);
  });

  it.each(pairs)("gives the expected answer for %s with %s", (type, system) => {
    const provider = machineProviderOf(machineProviders, type);
    const isSupported = provider !== undefined && unsupportedSystem(provider, system) === undefined;
    expect(isSupported).toBe(supported.includes(`${type} ${system}`));
  });

  it("lists the supported alternatives", () => {
    const harvester = machineProviderOf(machineProviders, "harvester");
    expect(harvester && unsupportedSystem(harvester, "talos")).toBe(
      'operating system "talos" is unsupported on provider harvester; supported: rocky',
    );
  });

  it.each(machineProviders)("supports nothing on $type by accident", (provider) => {
    for (const system of ["Rocky", "length", "constructor", ""]) {
      expect(unsupportedSystem(provider, system)).toContain("unsupported");
    }
  });

  it("has each infrastructure once, with resources of its own", () => {
    expect(new Set(machineProviders.map(({ type }) => type)).size).toBe(machineProviders.length);
    expect(infrastructureResources(machineProviders)).toEqual([
      "kubevirtclusters",
      "kubevirtmachines",
      "kubevirtmachinetemplates",
      "localclusters",
      "localmachines",
      "localmachinetemplates",
      "nutanixclusters",
      "nutanixmachines",
      "nutanixmachinetemplates",
    ]);
  });
});
