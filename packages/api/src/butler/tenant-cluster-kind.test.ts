import { expect, it } from "vitest";
import { tenantClusterKind } from "./tenant-cluster-kind.ts";
import { TenantCluster } from "./tenant-cluster.ts";

it("is the kind that TenantCluster declares", () => {
  expect(TenantCluster).toMatchObject(tenantClusterKind);
});
