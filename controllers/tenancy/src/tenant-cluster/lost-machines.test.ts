import { Machine } from "@butler/api-external";
import { apiVersionOf } from "@butler/resource";
import { describe, expect, it } from "vitest";
import { lostMachines } from "./lost-machines.ts";

const now = new Date("2026-03-01T12:00:00Z");

interface Difference {
  readonly type?: string;
  readonly status?: "True" | "False" | "Unknown";
  readonly reason?: string;
  readonly seconds?: number;
  readonly isDeleted?: boolean;
  readonly hasData?: boolean;
}

function machine(name: string, difference: Difference = {}): Machine {
  const { type = "InfrastructureReady", status = "False", reason = "ObjectDoesNotExist", seconds = 60 } = difference;
  const lastTransitionTime = new Date(now.getTime() - seconds * 1_000).toISOString();
  return {
    apiVersion: apiVersionOf(Machine),
    kind: Machine.kind,
    metadata: {
      name,
      namespace: "shop-1",
      uid: `uid-${name}`,
      ...(difference.isDeleted === true ? { deletionTimestamp: now.toISOString() } : {}),
    },
    spec: {
      clusterName: "shop",
      bootstrap: difference.hasData === true ? { dataSecretName: "data" } : {},
      infrastructureRef: { apiGroup: "infrastructure.cluster.x-k8s.io", kind: "LocalMachine", name },
    },
    status: { conditions: [{ type, status, reason, message: "", lastTransitionTime }] },
  };
}

const removed = (difference: Difference): boolean => lostMachines([machine("a", difference)], now).remove.length > 0;

describe("a machine", () => {
  it.each<[string, Difference]>([
    ["never had an infrastructure object", {}],
    ["lost its infrastructure object", { reason: "ObjectDeleted" }],
    ["never had a bootstrap object", { type: "BootstrapConfigReady" }],
  ])("that %s is replaced", (_what, difference) => {
    expect(removed(difference)).toBe(true);
  });

  it.each<[string, Difference]>([
    ["is still being provisioned", { reason: "NotReady", seconds: 3_600 }],
    ["could not be looked at", { status: "Unknown", reason: "InternalError", seconds: 3_600 }],
    ["is ready", { status: "True", reason: "Ready" }],
    ["is going already", { isDeleted: true }],
    ["has its bootstrap data and needs the object no more", { type: "BootstrapConfigReady", hasData: true }],
  ])("that %s is kept", (_what, difference) => {
    expect(lostMachines([machine("a", difference)], now)).toEqual({ remove: [], events: [] });
  });

  it("whose object is missing only briefly is checked again later", () => {
    const { remove, requeueAfterMs } = lostMachines([machine("a", { seconds: 5 }), machine("b", { seconds: 12 })], now);
    expect(remove).toEqual([]);
    expect(requeueAfterMs).toBe(8_000);
  });

  it("is deleted by its uid, with an event", () => {
    const { remove, events } = lostMachines([machine("a"), machine("b", { status: "True" })], now);
    expect(remove).toEqual([{ kind: Machine, name: "a", namespace: "shop-1", uid: "uid-a" }]);
    expect(events).toEqual([
      {
        type: "Warning",
        reason: "MachineLost",
        message: "LocalMachine of Machine a no longer exists; replacing the Machine",
      },
    ]);
  });
});
