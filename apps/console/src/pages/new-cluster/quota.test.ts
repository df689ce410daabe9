import { ProviderConfig } from "@butler/api";
import { describe, expect, it } from "vitest";
import { emptyDraft } from "./draft.ts";
import { addressesOf, type Provider, quotaRows } from "./quota.ts";
import { aTeam } from "../../testing/a-team.ts";

const usage = { clusters: 2, nodes: 6, cpu: "24", memory: "96Gi", storage: "600Gi" };
const draft = { ...emptyDraft("dev"), name: "shop", spec: { workers: { replicas: 2 } } };

describe("quotaRows", () => {
  it("shows used, requested and limit", () => {
    const team = aTeam({
      resourceLimits: { defaultNodeCount: 3, maxClusters: 2, maxTotalNodes: 10, maxTotalCPU: "30", maxMemory: "128Gi" },
      environments: [{ name: "dev", clusterCount: 1, limits: { maxClusters: 3 } }],
    });
    expect(quotaRows(draft, team, usage)?.map(({ label, words }) => `${label}: ${words}`)).toEqual([
      "Clusters: 2 used + 1 requested of 2",
      "Clusters in dev: 1 used + 1 requested of 3",
      "Worker nodes: 6 used + 2 requested of 10",
      "CPU cores: 24 used + 8 requested of 30",
      "Memory: 96 GiB used + 32 GiB requested of 128 GiB",
      "Disk: 600 GiB used + 200 GiB requested, no limit",
    ]);
  });

  it("is undefined for an invalid draft", () => {
    expect(
      quotaRows({ ...draft, spec: { workers: { machineTemplate: { memory: "lots" } } } }, aTeam(), usage),
    ).toBeUndefined();
  });
});

describe("addressesOf", () => {
  const provider = (mode: "ipam" | "cloud"): Provider => ({
    metadata: { name: "dc", namespace: "butler-system" },
    spec: ProviderConfig.spec.parse({ provider: "local", network: { mode, poolRefs: [{ name: "pool" }] } }),
    status: { capacity: { availableIPs: 40, estimatedTenants: 3 } },
  });

  it("counts nodes and load balancers", () => {
    expect(addressesOf(draft, aTeam(), provider("ipam"))).toEqual({ left: 40, asked: 10, estimatedClusters: 3 });
    const own = { ...draft, spec: { workers: { replicas: 1 }, networking: { lbPoolSize: 4 } } };
    expect(addressesOf(own, aTeam(), provider("ipam"))?.asked).toBe(5);
  });

  it("is undefined if the provider assigns addresses itself", () => {
    expect(addressesOf(draft, aTeam(), provider("cloud"))).toBeUndefined();
    expect(addressesOf(draft, aTeam(), undefined)).toBeUndefined();
  });
});
