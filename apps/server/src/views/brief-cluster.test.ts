import { annotations, labels, TenantCluster } from "@butler/api";
import { parseObject } from "@butler/resource";
import { describe, expect, it } from "vitest";
import { briefCluster } from "./brief-cluster.ts";

const conditions = [
  {
    type: "Ready",
    status: "True",
    message: "ready",
    reason: "Ready",
    lastTransitionTime: "2026-01-01T00:00:00Z",
  },
  {
    type: "ControlPlaneReady",
    status: "True",
    message: "",
    reason: "Ready",
    lastTransitionTime: "2026-01-01T00:00:00Z",
  },
] as const;

function cluster(status: object): TenantCluster {
  const made = parseObject(TenantCluster, structuredClone(TenantCluster.example));
  const metadata = {
    ...made.metadata,
    labels: { [labels.environment]: "dev", team: "payments" },
    annotations: { [annotations.owner]: "ada@example.com", [annotations.description]: "A long story." },
  };
  return { ...made, metadata, status };
}

describe("briefCluster", () => {
  it("contains what lists show, without the details of a cluster's page", () => {
    const brief = briefCluster(
      cluster({ phase: "Ready", workerNodesReady: 2, conditions, steps: [], tenantNamespace: "t" }),
    );
    expect(JSON.parse(JSON.stringify(brief))).toMatchObject({
      metadata: { labels: { [labels.environment]: "dev" }, annotations: { [annotations.owner]: "ada@example.com" } },
      status: { phase: "Ready", workerNodesReady: 2, conditions: [{ type: "Ready", status: "True", message: "" }] },
    });
    expect(JSON.stringify(brief)).not.toMatch(/A long story|payments"?:|steps|tenantNamespace|machineTemplate/);
  });

  it("contains why a cluster is not ready", () => {
    const [ready] = conditions;
    const brief = briefCluster(
      cluster({ conditions: [{ ...ready, status: "False", message: "two nodes are missing" }] }),
    );
    expect(brief.status?.conditions).toEqual([{ type: "Ready", status: "False", message: "two nodes are missing" }]);
  });

  it("omits a missing status", () => {
    const { status: _none, ...fresh } = cluster({});
    expect(briefCluster(fresh as TenantCluster)).not.toHaveProperty("status");
  });
});
