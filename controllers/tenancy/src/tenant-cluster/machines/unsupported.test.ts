import { providerTypes, TenantCluster } from "@butler/api";
import { parseObject } from "@butler/resource";
import { describe, expect, it } from "vitest";
import { harvesterProvider } from "./harvester/index.ts";
import { localProvider } from "./local.ts";
import { nutanixProvider } from "./nutanix/index.ts";
import { supportedPairs, unsupportedPair } from "./unsupported.ts";

const systems = ["rocky", "flatcar", "talos", "kairos", "bottlerocket"] as const;
const supported = ["harvester rocky", "nutanix rocky", "local rocky"];
const pairs = Object.keys(supportedPairs).flatMap((provider) => systems.map((system) => [provider, system] as const));

describe("unsupportedPair", () => {
  it("knows every provider of ProviderConfigs, and vSphere", () => {
    expect(Object.keys(supportedPairs).toSorted()).toEqual([...providerTypes, "vsphere"].toSorted());
    expect(pairs).toHaveLength(40);
  });

  it.each(systems)("covers every operating system of a TenantCluster: %s", (type) => {
    const spec = { workers: { machineTemplate: { os: { type } } } };
    const metadata = { name: "blue" };
    const { apiVersion, kind } = TenantCluster;
    const cluster = parseObject(TenantCluster, { apiVersion, kind, metadata, spec });
    expect(cluster.spec.workers.machineTemplate.os.type).toBe(type);
  });

  it.each(pairs)("gives the expected answer for %s with %s", (provider, system) => {
    const sentence = unsupportedPair(provider, system);
    if (supported.includes(`${provider} ${system}`)) return expect(sentence).toBeUndefined();
    expect(sentence).toContain("unsupported");
    expect(sentence).toContain(provider);
  });

  it.each([localProvider, harvesterProvider, nutanixProvider])("agrees with the provider $type", (provider) => {
    expect(supportedPairs[provider.type]).toEqual(provider.operatingSystems);
  });

  it("lists the supported alternatives", () => {
    expect(unsupportedPair("harvester", "talos")).toBe(
      'operating system "talos" is unsupported on provider harvester; supported: rocky',
    );
    expect(unsupportedPair("proxmox", "rocky")).toBe(
      'provider "proxmox" is unsupported for tenant clusters; supported: harvester, local, nutanix',
    );
  });

  it.each([
    ["constructor", "rocky"],
    ["toString", "length"],
    ["", ""],
    ["harvester", "Rocky"],
    ["Harvester", "rocky"],
  ])("supports nothing by accident: %j with %j", (provider, system) => {
    expect(unsupportedPair(provider, system)).toContain("unsupported");
  });
});
