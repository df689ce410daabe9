import { someAddon, someDefinition } from "@butler/addons/testing";
import { describe, expect, it } from "vitest";
import { changed, judged } from "../testing/cluster-cases.ts";
import { clusterFacts } from "../testing/objects.ts";

const upgrade = changed({ spec: { kubernetesVersion: "v1.35.2" } }, { spec: { kubernetesVersion: "v1.36.3" } });
const longhorn = someAddon("longhorn", {
  metadata: { name: "shop-longhorn" },
  status: { installedVersion: "1.7.2" },
});
const definitions = [someDefinition("longhorn", { kubernetesVersions: ">=1.29 <1.36" })];

describe("an upgrade of Kubernetes", () => {
  it("is rejected while an installed add-on does not support the version, with its name and supported range", () => {
    expect(judged({ ...upgrade, facts: clusterFacts({ addons: [longhorn], definitions }) })).toEqual([
      "UNSUPPORTED spec.kubernetesVersion: add-on longhorn 1.7.2 supports Kubernetes >=1.29 <1.36, not v1.36.3; " +
        "upgrade or remove TenantAddon shop-longhorn first",
    ]);
  });

  it("is also rejected by the range of the chart itself", () => {
    const helm = { repository: "https://charts.example.com", chart: "own" };
    const helmRelease = { kubernetesVersions: "<1.36.0-0" };
    const own = someAddon("own", { spec: { helm }, status: { installedVersion: "3.0.0", helmRelease } });
    expect(judged({ ...upgrade, facts: clusterFacts({ addons: [own], definitions }) })).toEqual([
      expect.stringContaining("add-on own 3.0.0 supports Kubernetes <1.36.0-0"),
    ]);
  });

  it.each([
    ["by one that is not installed yet", [someAddon("longhorn")]],
    [
      "by one that is being deleted",
      [{ ...longhorn, metadata: { ...longhorn.metadata, deletionTimestamp: "2026-01-01T00:00:00Z" } }],
    ],
    ["by no add-on", []],
  ])("is not blocked %s", (_what, addons) => {
    expect(judged({ ...upgrade, facts: clusterFacts({ addons, definitions }) })).toEqual([]);
  });

  it("is the only change that add-ons can block", () => {
    const other = changed(
      { spec: { kubernetesVersion: "v1.36.3" } },
      { spec: { kubernetesVersion: "v1.36.3", paused: true } },
    );
    expect(judged({ ...other, facts: clusterFacts({ addons: [longhorn], definitions }) })).toEqual([]);
  });
});
