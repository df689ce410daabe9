import { describe, expect, it } from "vitest";
import { kubernetesFault, upgradeFaults } from "./kubernetes-range.ts";
import { installed, someAddon, someDefinition } from "./testing/some-objects.ts";

describe("Kubernetes versions that an add-on supports", () => {
  it.each([
    { range: undefined, kubernetes: "v1.36.3" },
    { range: "", kubernetes: "v1.36.3" },
    { range: ">=1.29 <1.37", kubernetes: "v1.36.3" },
    { range: ">=1.29 <1.37", kubernetes: "v1.29.0-rc.1" },
    { range: ">=1.29 <1.37", kubernetes: "v1.36.3+k3s1" },
    { range: ">= 1.22.0-0", kubernetes: "v1.36.3" },
    { range: ">=1.25.0, <1.40.0", kubernetes: "v1.36.3" },
    { range: "1.30.x || >=1.35", kubernetes: "v1.36.3" },
  ])("$kubernetes fits $range", ({ range, kubernetes }) => {
    expect(kubernetesFault(range, kubernetes)).toBeUndefined();
  });

  it.each([
    { range: ">=1.29 <1.37", kubernetes: "v1.37.0", fault: "supports Kubernetes >=1.29 <1.37, not v1.37.0" },
    { range: ">=1.29 <1.37", kubernetes: "v1.37.0-alpha.1", fault: "not v1.37.0" },
    { range: "newer ones", kubernetes: "v1.36.3", fault: "invalid Kubernetes version range" },
    { range: ">=1.29", kubernetes: "latest", fault: "is not a Kubernetes version" },
  ])("$kubernetes does not fit $range", ({ range, kubernetes, fault }) => {
    expect(kubernetesFault(range, kubernetes)).toContain(fault);
  });
});

describe("add-ons that block an upgrade", () => {
  const definitions = [someDefinition("old", { kubernetesVersions: "<1.36" }), someDefinition("any")];
  const faultsOf = (addon: ReturnType<typeof someAddon>) =>
    upgradeFaults({ addons: [addon], definitions, target: "v1.36.3" });

  it("are those whose definition says so", () => {
    expect(faultsOf(someAddon("old", { status: installed }))).toEqual([
      { addon: "old", message: "add-on old 1.0.0 supports Kubernetes <1.36, not v1.36.3" },
    ]);
  });

  it("are those whose chart says so", () => {
    const status = { ...installed, helmRelease: { kubernetesVersions: "<1.35.0-0" } };
    expect(faultsOf(someAddon("any", { status }))).toHaveLength(1);
  });

  it.each([
    ["is not installed", someAddon("old")],
    [
      "is being removed",
      someAddon("old", { status: installed, metadata: { deletionTimestamp: "2026-01-01T00:00:00Z" } }),
    ],
    ["says nothing", someAddon("any", { status: installed })],
    [
      "has a range that only Helm reads",
      someAddon("any", { status: { ...installed, helmRelease: { kubernetesVersions: "!=1.36.3" } } }),
    ],
  ])("are not one that %s", (_, addon) => {
    expect(faultsOf(addon)).toEqual([]);
  });
});
