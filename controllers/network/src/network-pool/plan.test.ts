import { mergeConditions } from "@butler/resource";
import { settleToFixedPoint } from "@butler/testkit";
import { describe, expect, it } from "vitest";
import { aClaim, activeStatus, allocatedStatus, aPool } from "../testing/objects.ts";
import { plan, type PoolEffect } from "./plan.ts";
import type { PoolView } from "./pool-view.ts";

const now = new Date("2026-01-01T01:00:00Z");

function view(difference: Partial<PoolView> = {}): PoolView {
  const { pool = aPool({ status: activeStatus }) } = difference;
  return { pool, claims: [], others: [pool], uses: [], isFresh: true, ...difference };
}

/** The view after a plan has been performed. */
function settle(seen: PoolView, { effects = [] }: { effects?: readonly PoolEffect[] | undefined }): PoolView {
  return effects.reduce<PoolView>((before, effect) => {
    if (effect.type === "writePool") {
      const pool = { ...before.pool, status: merge(before.pool.status, effect.write.status) };
      return { ...before, pool, others: [pool] };
    }
    const claims = before.claims.map((claim) => {
      const write = effect.writes.find(({ name }) => name === claim.metadata.name);
      return write === undefined ? claim : { ...claim, status: merge(claim.status, write.status) };
    });
    return { ...before, claims };
  }, seen);
}

function merge<T extends object | undefined>(current: T, patch: object): T {
  return Object.fromEntries(Object.entries({ ...current, ...patch }).filter(([, value]) => value !== null)) as T;
}

describe("the plan for a pool", () => {
  it("adds the finalizer before anything else", () => {
    expect(plan(view({ pool: aPool({ finalizers: [] }), claims: [aClaim()] }), now)).toEqual({ finalizer: "hold" });
  });

  it("becomes active before it allocates addresses", () => {
    const pool = aPool();
    const { effects } = plan(view({ pool, others: [pool], claims: [aClaim()] }), now);
    expect(effects?.map(({ type }) => type)).toEqual(["writePool"]);
    expect(effects?.[0]).toMatchObject({ write: { status: { totalIPs: 16 } } });
    expect(JSON.stringify(effects)).not.toContain("grants");
  });

  it("writes a grant to the pool before the status of the claim, each conditional on the observed version", () => {
    const pool = aPool({ resourceVersion: "7", status: activeStatus });
    const { effects } = plan(view({ pool, claims: [aClaim({ resourceVersion: "8" })] }), now);
    expect(effects).toMatchObject([
      { type: "writePool", write: { resourceVersion: "7", status: { grants: [{ startAddress: "10.40.0.0" }] } } },
      { type: "writeClaims", writes: [{ resourceVersion: "8", isServed: true, status: { phase: "Allocated" } }] },
    ]);
  });

  it("reaches a steady state with every claim served or refused with a reason", () => {
    const claims = ["a", "b", "c", "d", "e"].map((name) => aClaim({ name }));
    const rested = settleToFixedPoint({ plan, observed: view({ pool: aPool(), claims }), now, settle });
    expect(rested.observed.claims.map(({ status }) => status?.phase)).toEqual([
      ...Array.from({ length: 4 }, () => "Allocated"),
      "Pending",
    ]);
    expect(rested.observed.pool.status).toMatchObject({ allocatedIPs: 16, availableIPs: 0, used: "100%" });
    expect(rested.observed.pool.status?.grants).toBeUndefined();
    expect(rested.plan.requeueAfterMs).toBeUndefined();
  });

  it.each([
    ["10.0.0.0", "10.0.15.255", 4_096],
    ["10.0.0.0", "10.0.16.0", undefined],
    ["10.0.0.0", "10.255.255.255", undefined],
  ])("lists the addresses from %s to %s one by one only if they are few", (startAddress, endAddress, listed) => {
    const claim = aClaim({ spec: { count: undefined, pinnedRange: { startAddress, endAddress } } });
    const pool = aPool({ spec: { cidr: "10.0.0.0/8" }, status: activeStatus });
    const effect = plan(view({ pool, claims: [claim] }), now).effects?.at(-1);
    const status = effect?.type === "writeClaims" ? effect.writes[0]?.status : undefined;
    expect(status).toMatchObject({ startAddress, endAddress });
    expect((status?.["addresses"] as string[] | null)?.length).toBe(listed);
  });

  it("allocates nothing from a stale cache", () => {
    expect(() => plan(view({ claims: [aClaim()], isFresh: false }), now)).toThrow("from a stale cache");
  });

  it("requeues for the end of a quarantine", () => {
    const status = { ...allocatedStatus("10.40.0.0", "10.40.0.3"), phase: "Released" };
    const claims = ["2026-01-01T01:00:30Z", "2026-01-01T01:00:10Z", "2026-01-01T00:59:00Z"].map((quarantineUntil, at) =>
      aClaim({ name: `claim-${at}`, deletionTimestamp: quarantineUntil, status: { ...status, quarantineUntil } }),
    );
    expect(plan(view({ claims }), now).requeueAfterMs).toBe(10_000);
  });

  it.each([
    ["in use", { status: allocatedStatus("10.40.0.0", "10.40.0.3") }, "hold"],
    ["waiting for nothing", {}, "release"],
  ] as const)("keeps a pool that is to be deleted as long as a claim is %s", (_what, traits, finalizer) => {
    const pool = aPool({ deletionTimestamp: "2026-01-01T00:00:00Z", status: activeStatus });
    expect(plan(view({ pool, claims: [aClaim(traits)] }), now).finalizer).toBe(finalizer);
  });

  it("delivers existing grants even if the pool is being deleted", () => {
    const grants = [
      {
        uid: "uid-of-shop-lb",
        name: "shop-lb",
        startAddress: "10.40.0.4",
        endAddress: "10.40.0.7",
        grantedAt: "2026-01-01T00:00:00Z",
      },
    ];
    const pool = aPool({ deletionTimestamp: "2026-01-01T00:00:00Z", status: { ...activeStatus, grants } });
    const { effects } = plan(view({ pool, claims: [aClaim()] }), now);
    expect(effects?.at(-1)).toMatchObject({ type: "writeClaims", writes: [{ status: { cidr: "10.40.0.4/30" } }] });
  });

  it("keeps conditions of other controllers and does not repeat writes", () => {
    const stated = [{ type: "Theirs", status: "True" as const, reason: "Fine", message: "" }];
    const conditions = mergeConditions({ current: activeStatus.conditions as never, stated, generation: 1, now });
    const pool = aPool({ status: { conditions } });
    const once = settle(view({ pool }), plan(view({ pool }), now));
    expect(once.pool.status?.conditions?.map(({ type }) => type)).toContain("Theirs");
    expect(plan(once, now).effects).toEqual([]);
  });

  it("reports an invalid spec that was stored without admission", () => {
    const pool = aPool({ spec: { cidr: "10.40.0.0/99" } });
    const { effects } = plan(view({ pool, claims: [aClaim()] }), now);
    expect(JSON.stringify(effects)).toContain("ValidationFailed");
    expect(JSON.stringify(effects)).toContain("PoolInvalid");
  });
});
