import { describe, expect, it } from "vitest";
import type { Limits } from "./limits.ts";
import { noUsage, type Usage } from "./usage.ts";
import { utilisation } from "./utilisation.ts";

describe("utilisation", () => {
  it.each<[string, Partial<Usage>, Limits, number | undefined, string]>([
    ["nothing without a limit", { clusters: 9 }, {}, undefined, "OK"],
    ["little", { clusters: 7 }, { clusters: 10 }, 70, "OK"],
    ["just under four fifths", { clusters: 79 }, { clusters: 100 }, 79, "OK"],
    ["four fifths", { clusters: 4 }, { clusters: 5 }, 80, "Warning"],
    ["all of it", { clusters: 5 }, { clusters: 5 }, 100, "Warning"],
    ["too much", { clusters: 6 }, { clusters: 5 }, 100, "Exceeded"],
    ["nothing of nothing", {}, { clusters: 0 }, 0, "OK"],
    ["something of nothing", { clusters: 1 }, { clusters: 0 }, 100, "Exceeded"],
    ["a third", { clusters: 1 }, { clusters: 3 }, 33, "OK"],
  ])("%s", (_what, usage, limits, percent, status) => {
    const found = utilisation({ ...noUsage, ...usage }, limits);
    expect([found.percent.clusters, found.status]).toEqual([percent, status]);
  });

  it("names the exceeded resources, including storage", () => {
    const usage = { ...noUsage, nodes: 9, cpuMilli: 9n, memoryBytes: 2n ** 70n, storageBytes: 11n };
    const limits = { nodes: 10, cpuMilli: 100n, memoryBytes: 2n ** 71n, storageBytes: 10n };
    expect(utilisation(usage, limits)).toEqual({
      percent: { clusters: undefined, nodes: 90, cpu: 9, memory: 50, storage: 100 },
      status: "Exceeded",
      message: "limits exceeded: storage",
    });
    expect(utilisation({ ...usage, storageBytes: 0n }, limits).message).toBe("80% or more in use: nodes");
  });
});
