import { describe, expect, it } from "vitest";
import { aClaim, allocatedStatus, aPool } from "../testing/objects.ts";
import { type Observed, plan } from "./plan.ts";

const now = new Date("2026-01-01T01:00:00Z");
const addresses = allocatedStatus("10.40.0.0", "10.40.0.3");
const deletionTimestamp = "2026-01-01T00:59:00Z";
const orphaned = (lastTransitionTime: string) => ({
  ...addresses,
  conditions: [{ type: "Orphaned", status: "True", reason: "ClusterNotFound", message: "", lastTransitionTime }],
});

function planned(difference: Partial<Observed>) {
  return plan({ claim: aClaim(), pool: aPool(), isOrphan: false, orphanGraceMs: 600_000, ...difference }, now);
}

/** The status written by a plan. */
function written(difference: Partial<Observed>): Record<string, unknown> | undefined {
  const effect = planned(difference).effects?.[0];
  return effect?.type === "writeClaim" ? effect.write.status : undefined;
}

describe("a claim that is being deleted", () => {
  it("is deleted immediately without addresses", () => {
    expect(planned({ claim: aClaim({ deletionTimestamp }) })).toEqual({ finalizer: "release" });
  });

  it.each([
    ["5 minutes", aPool(), "2026-01-01T01:05:00Z"],
    ["the quarantine of its pool", aPool({ spec: { quarantine: "1h30m" } }), "2026-01-01T02:30:00Z"],
    ["no time if its pool sets 0", aPool({ spec: { quarantine: "0" } }), "2026-01-01T01:00:00Z"],
    ["5 minutes if its pool is deleted", undefined, "2026-01-01T01:05:00Z"],
  ])("keeps its addresses in quarantine for %s", (_howLong, pool, quarantineUntil) => {
    const claim = aClaim({ deletionTimestamp, status: addresses });
    expect(planned({ claim, pool }).finalizer).toBe("hold");
    expect(written({ claim, pool })).toMatchObject({
      phase: "Released",
      releasedAt: "2026-01-01T01:00:00Z",
      quarantineUntil,
    });
  });

  it.each([
    ["2026-01-01T01:00:01Z", { finalizer: "hold", requeueAfterMs: 1_000 }],
    ["2026-01-01T01:00:00Z", { finalizer: "release" }],
  ])("is held while its quarantine ends at %s", (quarantineUntil, expected) => {
    const status = { ...addresses, phase: "Released", quarantineUntil };
    expect(planned({ claim: aClaim({ deletionTimestamp, status }) })).toEqual(expected);
  });
});

describe("a claim", () => {
  it("gets a finalizer before any status is written", () => {
    expect(planned({ claim: aClaim({ finalizers: [] }), pool: undefined, isOrphan: true })).toEqual({
      finalizer: "hold",
    });
  });

  it("without a pool reports this once", () => {
    const status = written({ pool: undefined });
    expect(status).toMatchObject({ phase: "Pending", conditions: [{ type: "Ready", reason: "PoolNotFound" }] });
    expect(planned({ claim: aClaim({ status: status ?? {} }), pool: undefined }).effects).toEqual([]);
  });

  it("with addresses is not changed", () => {
    expect(planned({ claim: aClaim({ status: addresses }) }).effects).toEqual([]);
    expect(planned({ claim: aClaim({ status: addresses }), pool: undefined }).effects).toEqual([]);
  });

  it("is marked as orphaned when its cluster is deleted, and deleted with an event after a grace period", () => {
    const claim = aClaim({ status: addresses });
    expect(written({ claim, isOrphan: true })).toMatchObject({
      conditions: [{ type: "Orphaned", status: "True", lastTransitionTime: "2026-01-01T01:00:00Z" }],
    });
    const waiting = planned({ claim: aClaim({ status: orphaned("2026-01-01T00:50:01Z") }), isOrphan: true });
    expect(waiting).toMatchObject({ effects: [], events: [], requeueAfterMs: 1_000 });
    const going = planned({ claim: aClaim({ status: orphaned("2026-01-01T00:50:00Z") }), isOrphan: true });
    expect(going.effects).toEqual([
      { type: "deleteClaim", name: "shop-lb", namespace: "butler-system", uid: "uid-of-shop-lb" },
    ]);
    expect(going.events).toMatchObject([{ type: "Warning", reason: "OrphanedAllocation" }]);
  });

  it("is no longer marked as orphaned when its cluster is recreated", () => {
    expect(written({ claim: aClaim({ status: orphaned("2026-01-01T00:00:00Z") }) })?.["conditions"]).toEqual([]);
  });
});
