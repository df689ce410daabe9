import { bootstrapSpec, isDnsSubdomain, isLabelValue, isQualifiedName } from "@butler/provider";
import { harvesterMachines } from "@butler/provider-harvester";
import { nutanixMachines } from "@butler/provider-nutanix";
import { anInput, anSshKey, anyWorkers, aPool, mainPool, mebibytes } from "@butler/provider/testing";
import { deepEqual } from "@butler/std";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

const providers = [
  { type: "harvester", provider: harvesterMachines },
  { type: "nutanix", provider: nutanixMachines },
] as const;

const longestName = "a".repeat(54);

/** Every `labels` and `annotations` anywhere in a value. */
function mapsIn(value: unknown, name: string): Record<string, string>[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === name ? [inner as Record<string, string>] : mapsIn(inner, name),
  );
}

describe.each(providers)("all objects on $type", ({ type, provider }) => {
  it("is reported as invalid, or has valid names and labels", () => {
    let accepted = 0;
    fc.assert(
      fc.property(anyWorkers, fc.constantFrom("shop", longestName), (workers, name) => {
        const input = anInput(type, { name, cluster: { workers }, sshAuthorizedKey: anSshKey() });
        if (provider.faults(input).length > 0) return;
        accepted += 1;
        const pool = mainPool(input);
        const bootstrap = bootstrapSpec(provider, input, pool);
        const objects = [...provider.clusterObjects(input), provider.machineTemplateSpec(input, pool), bootstrap];
        for (const labels of mapsIn(objects, "labels")) {
          expect(Object.keys(labels).filter((key) => !isQualifiedName(key))).toEqual([]);
          expect(Object.values(labels).filter((value) => !isLabelValue(value))).toEqual([]);
        }
        for (const annotations of mapsIn(objects, "annotations")) {
          expect(Object.keys(annotations).filter((key) => !isQualifiedName(key))).toEqual([]);
        }
        for (const { metadata } of provider.clusterObjects(input)) {
          expect(isDnsSubdomain(metadata.name)).toBe(true);
          expect(metadata.namespace).toBe(input.namespace);
        }
        expect(JSON.stringify(bootstrap)).not.toMatch(/\{\{|\{%|\{#/);
      }),
      { numRuns: 200 },
    );
    expect(accepted).toBeGreaterThan(20);
  });

  it("differs exactly when machines do", () => {
    const size = fc.record({
      cpu: fc.integer({ min: 1, max: 512 }),
      memory: mebibytes(2 * 1024).map((count) => `${count}Mi`),
      diskSize: mebibytes(40 * 1024).map((count) => `${count}Mi`),
    });
    const input = anInput(type);
    fc.assert(
      fc.property(size, size, (one, other) => {
        const [first, second] = [one, other].map((each) => provider.machineTemplateSpec(input, aPool(each)));
        expect(deepEqual(first, second)).toBe(deepEqual(one, other));
        expect(provider.machineTemplateSpec(structuredClone(input), aPool(one))).toEqual(first);
      }),
    );
  });

  it("has credentials only in the Secret, which comes after the infrastructure cluster", () => {
    const input = anInput(type);
    const [infrastructure, secret, ...others] = provider.clusterObjects(input);
    expect(others).toEqual([]);
    expect(infrastructure).toMatchObject({ kind: provider.clusterKind.kind, metadata: { name: "shop" } });
    expect(secret).toMatchObject({ kind: "Secret", type: "Opaque" });
    const pool = mainPool(input);
    const open = JSON.stringify([
      infrastructure,
      provider.machineTemplateSpec(input, pool),
      bootstrapSpec(provider, input, pool),
    ]);
    for (const text of ["harvester-token", "nutanix-password"]) {
      expect(open).not.toContain(text);
      expect(open).not.toContain(btoa(text));
    }
  });

  it("does not modify its input", () => {
    const input = anInput(type);
    const before = structuredClone(input);
    provider.faults(input);
    provider.clusterObjects(input);
    bootstrapSpec(provider, input, mainPool(input));
    expect(input).toEqual(before);
  });
});
