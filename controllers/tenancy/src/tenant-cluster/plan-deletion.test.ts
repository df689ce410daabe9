import { annotations, IPAllocation } from "@butler/api";
import type { Plan } from "@butler/controller";
import { localMachines } from "@butler/provider-local/machines";
import { parseObject } from "@butler/resource";
import { describe, expect, it } from "vitest";
import type { Observed } from "./observed.ts";
import { planTenantCluster } from "./plan.ts";
import { namespaceObject } from "./render/namespace.ts";
import {
  aStuckMachine,
  aTenantCluster,
  machineProviders,
  now,
  observedOf,
  playedFrom,
} from "./testing/observed-objects.ts";

const plan = (observed: Observed, at: Date): Plan => planTenantCluster(observed, at, machineProviders);
const conditionOf = ({ conditions = [] }: Plan, type: string) => conditions.find((each) => each.type === type);

/** The objects of a cluster before its deletion. */
function existing(): Observed {
  const alive = aTenantCluster();
  const begun = observedOf(alive, { namespace: namespaceObject(alive, localMachines) });
  return playedFrom(alive, plan(begun, now).apply ?? [], "v1.36.3");
}

const anAllocation = parseObject(IPAllocation, {
  apiVersion: IPAllocation.apiVersion,
  kind: IPAllocation.kind,
  metadata: { name: "shop-lb", namespace: "butler-system", uid: "uid-of-shop-lb" },
  spec: {
    poolRef: { name: "a" },
    tenantClusterRef: { name: "shop", namespace: "payments" },
    type: "loadbalancer",
    count: 8,
  },
  status: { phase: "Allocated", allocatedCount: 8 },
});

describe("the deletion of an abandoned cluster", () => {
  const late = new Date("2026-03-01T12:40:00Z");
  const cluster = aTenantCluster(
    {},
    {
      deletionTimestamp: "2026-03-01T11:50:00Z",
      finalizers: ["x"],
      annotations: { [annotations.abandon]: "true" },
    },
  );
  const stuck = (): Observed => ({
    ...existing(),
    cluster,
    machines: [aStuckMachine(cluster, "2026-03-01T11:55:00Z")],
    allocations: [anAllocation],
  });

  it("goes on and holds the cluster while anything is left, with its addresses", () => {
    const given = plan(stuck(), late);
    expect(given.finalizer).toBe("hold");
    expect(given.apply).toBeUndefined();
    expect(given.remove?.map(({ kind }) => kind.kind)).toEqual(["Cluster", "StewardControlPlane"]);
    const condition = conditionOf(given, "DeletionOverdue");
    expect(condition).toMatchObject({ status: "True", reason: "Abandoned" });
    for (const left of ["shop-workers-x", "IPAllocation shop-lb", "namespace shop-0a1b2c3d"])
      expect(condition?.message).toContain(left);
    expect(given.events).toContainEqual(expect.objectContaining({ type: "Warning", reason: "ClusterAbandoned" }));
  });

  it("follows the usual order before its deadline, even if the annotation was set in advance", () => {
    const early = plan(stuck(), now);
    expect(early.remove?.map(({ kind }) => kind.kind)).toEqual(["Cluster"]);
    expect(conditionOf(early, "DeletionOverdue")).toBeUndefined();
    expect(early.finalizer).toBe("hold");
  });

  it("releases addresses only after its machines, and the cluster when nothing is left", () => {
    const { namespace } = stuck();
    const gone = plan(observedOf(cluster, { namespace, allocations: [anAllocation] }), late);
    expect(gone.remove).toMatchObject([{ name: "shop-lb" }]);
    expect(plan(observedOf(cluster, { namespace }), late).remove).toMatchObject([{ name: "shop-0a1b2c3d" }]);
    expect(plan(observedOf(cluster), late)).toEqual({ finalizer: "release" });
  });
});
