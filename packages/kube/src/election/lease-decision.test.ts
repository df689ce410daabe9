import { apiVersionOf, builtinKinds, type DynamicObject } from "@butler/resource";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  decideLease,
  heldRecord,
  type LeaseDecision,
  type LeaseRecord,
  nothingObserved,
  observeLease,
  readLeaseRecord,
  releasedRecord,
} from "./lease-decision.ts";

const now = new Date("2030-01-01T00:00:00.000Z");
const held = (holderIdentity: string, change: Partial<LeaseRecord> = {}): LeaseRecord => ({
  ...heldRecord({ previous: undefined, identity: holderIdentity, now, leaseDurationMs: 15_000 }),
  ...change,
});
const leaseOf = (record: LeaseRecord): DynamicObject => ({
  apiVersion: apiVersionOf(builtinKinds.Lease),
  kind: "Lease",
  metadata: { name: "x", namespace: "default" },
  spec: record,
});

describe("decideLease", () => {
  const table: [string, { record?: LeaseRecord; exists?: boolean; ageMs?: number }, LeaseDecision][] = [
    ["creates a lease that was never seen", {}, { action: "create" }],
    ["renews its own", { record: held("me") }, { action: "renew" }],
    ["renews its own at any age", { record: held("me"), ageMs: 99_000 }, { action: "renew" }],
    ["recreates its own after a deletion", { record: held("me"), exists: false }, { action: "create" }],
    ["takes one that was released", { record: held("", { leaseDurationSeconds: 1 }) }, { action: "take" }],
    ["waits while another holds it", { record: held("you"), ageMs: 14_999 }, { action: "wait", remainingMs: 1 }],
    ["takes it when it has expired", { record: held("you"), ageMs: 15_000 }, { action: "take" }],
    [
      "waits for the holder of a deleted lease",
      { record: held("you"), exists: false, ageMs: 1_000 },
      { action: "wait", remainingMs: 14_000 },
    ],
    [
      "creates a deleted one when it has expired",
      { record: held("you"), exists: false, ageMs: 15_000 },
      { action: "create" },
    ],
    [
      "uses the holder's duration, not its own",
      { record: held("you", { leaseDurationSeconds: 60 }), ageMs: 15_000 },
      { action: "wait", remainingMs: 45_000 },
    ],
    [
      "uses its own duration when the record has none",
      { record: held("you", { leaseDurationSeconds: undefined }), ageMs: 1_000 },
      { action: "wait", remainingMs: 14_000 },
    ],
    [
      "ignores the times in the record",
      { record: held("you", { renewTime: "1999-01-01T00:00:00.000000Z" }), ageMs: 0 },
      { action: "wait", remainingMs: 15_000 },
    ],
  ];

  it.each(table)("%s", (_name, { record, exists = record !== undefined, ageMs = 0 }, expected) => {
    const observation = { record, exists, changedAtMs: 1_000_000 };
    const input = { observation, identity: "me", nowMs: 1_000_000 + ageMs, leaseDurationMs: 15_000 };
    expect(decideLease(input)).toEqual(expected);
  });

  it("never takes another's lease before it was seen unchanged for as long as it lasts", () => {
    const look = fc.record({ afterMs: fc.integer({ min: 0, max: 20_000 }), renewedAt: fc.integer({ min: 0, max: 3 }) });
    fc.assert(
      fc.property(
        fc.array(look, { minLength: 1, maxLength: 30 }),
        fc.integer({ min: 1, max: 20 }),
        (looks, seconds) => {
          let nowMs = 0;
          let observation = nothingObserved;
          let unchangedSinceMs = 0;
          let lastRenewedAt: number | undefined;
          for (const { afterMs, renewedAt } of looks) {
            nowMs += afterMs;
            const renewTime = `2030-01-01T00:00:0${renewedAt}.000000Z`;
            observation = observeLease(
              observation,
              leaseOf(held("you", { renewTime, leaseDurationSeconds: seconds })),
              nowMs,
            );
            if (renewedAt !== lastRenewedAt) unchangedSinceMs = nowMs;
            lastRenewedAt = renewedAt;
            const decision = decideLease({ observation, identity: "me", nowMs, leaseDurationMs: 1 });
            expect(decision.action).toBe(nowMs - unchangedSinceMs >= seconds * 1_000 ? "take" : "wait");
          }
        },
      ),
    );
  });
});

describe("heldRecord", () => {
  it("counts a change of holder and notes when it happened", () => {
    const previous = held("you", { leaseTransitions: 4, acquireTime: "2029-01-01T00:00:00.000000Z" });
    expect(heldRecord({ previous, identity: "me", now, leaseDurationMs: 1_200 })).toEqual({
      holderIdentity: "me",
      leaseDurationSeconds: 2,
      acquireTime: "2030-01-01T00:00:00.000000Z",
      renewTime: "2030-01-01T00:00:00.000000Z",
      leaseTransitions: 5,
    });
  });

  it("keeps both when the holder stays", () => {
    const previous = held("me", { leaseTransitions: 4, acquireTime: "2029-01-01T00:00:00.000000Z" });
    expect(heldRecord({ previous, identity: "me", now, leaseDurationMs: 15_000 })).toMatchObject({
      acquireTime: "2029-01-01T00:00:00.000000Z",
      leaseTransitions: 4,
    });
  });
});

describe("readLeaseRecord", () => {
  it("round-trips a record", () => {
    const record = releasedRecord(held("me", { leaseTransitions: 2 }), now);
    expect(readLeaseRecord(leaseOf(record))).toEqual(record);
  });

  it("reads a lease without a spec, or with one of the wrong shape, as not held", () => {
    const lease = leaseOf(held("me"));
    const nobody = { holderIdentity: "", leaseTransitions: 0 };
    expect(readLeaseRecord({ ...lease, spec: undefined })).toMatchObject(nobody);
    expect(readLeaseRecord({ ...lease, spec: { holderIdentity: 7, leaseTransitions: "x" } })).toMatchObject(nobody);
  });
});
