import { TenantCluster } from "@butler/api";
import { describe, expect, it } from "vitest";
import type { ClusterView } from "../../parts/cluster-facts.ts";
import { makingOf } from "./making-of.ts";

const now = new Date("2026-06-01T12:05:00Z");
const cluster = (status: object): ClusterView =>
  ({ ...structuredClone(TenantCluster.example), status }) as unknown as ClusterView;
const condition = (type: string, status: string, reason = "Ready", message = "") => ({ type, status, reason, message });

describe("makingOf", () => {
  it("shows all steps as not started without a status", () => {
    expect(makingOf(cluster({}), now).map(({ tone }) => tone)).toEqual(Array(6).fill("asleep"));
  });

  it("shows finished steps with their duration, and the running step with what it waits for", () => {
    const steps = makingOf(
      cluster({
        phase: "Provisioning",
        steps: [
          { name: "Accepted", startedAt: "2026-06-01T12:00:00Z", finishedAt: "2026-06-01T12:00:01Z" },
          { name: "ControlPlane", startedAt: "2026-06-01T12:00:01Z", finishedAt: "2026-06-01T12:01:13Z" },
          { name: "Workers", startedAt: "2026-06-01T12:01:13Z" },
        ],
        conditions: [
          condition("ControlPlaneReady", "True"),
          condition("WorkersReady", "False", "WaitingForMachines", "1 of 3 has joined"),
        ],
      }),
      now,
    );
    expect(steps.map(({ id, tone, time }) => [id, tone, time])).toEqual([
      ["Accepted", "ready", "1 s"],
      ["Network", "asleep", undefined],
      ["ControlPlane", "ready", "1 min 12 s"],
      ["Workers", "working", "3 min 47 s elapsed"],
      ["Addons", "asleep", undefined],
      ["Ready", "asleep", undefined],
    ]);
    expect(steps[3]?.detail).toBe("1 of 3 has joined");
  });

  it.each(["WorkersProvisioning", "InfrastructureProvisioning", "AddonsInstalling", "AllocationPending", "Upgrading"])(
    "shows %s as in progress",
    (reason) => {
      const steps = makingOf(
        cluster({ phase: "Provisioning", conditions: [condition("Ready", "False", reason)] }),
        now,
      );
      expect(steps.at(-1)).toMatchObject({ tone: "working" });
    },
  );

  it("shows the reason of a failure without a message", () => {
    const [, network] = makingOf(cluster({ conditions: [condition("NetworkReady", "False", "PoolExhausted")] }), now);
    expect(network).toMatchObject({ tone: "failed", word: "failed", detail: "PoolExhausted" });
  });
});
