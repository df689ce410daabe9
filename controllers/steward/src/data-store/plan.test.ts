import { desiredStatus } from "@butler/controller";
import { findCondition, isConditionTrue } from "@butler/resource";
import { planFrozen, settleDeletion, settleToFixedPoint } from "@butler/testkit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type DataStoreEffect, type Observed, plan } from "./plan.ts";
import type { StoreCheck } from "./store-check.ts";
import { aDataStore, aDedicatedDataStore, anAnswer } from "./testing/objects.ts";

const now = new Date("2026-08-01T12:00:00Z");
const mebibyte = 1024 * 1024;

const observedWith = (change: Partial<Observed> = {}): Observed => ({
  dataStore: aDataStore(),
  usedBy: [],
  check: anAnswer(),
  dueCertificates: [],
  ...change,
});

const readyOf = (observed: Observed) => plan(observed).conditions?.find(({ type }) => type === "Ready");

describe("whether a store is ready", () => {
  it.each<[string, Partial<Observed>, string, RegExp]>([
    ["that is healthy", {}, "True Ready", /ready for control planes/],
    [
      "of another driver",
      { dataStore: aDataStore({ spec: { driver: "PostgreSQL" } }), check: undefined },
      "False DriverNotSupported",
      /PostgreSQL is not supported yet/,
    ],
    [
      "that is dedicated",
      { dataStore: aDedicatedDataStore(), check: undefined },
      "True Dedicated",
      /gets a dedicated etcd/,
    ],
    [
      "that is down",
      { check: { kind: "failed", reason: "Unreachable", message: "etcd at a:1 is unreachable" } },
      "False Unreachable",
      /is unreachable/,
    ],
    ["without a leader", { check: anAnswer({ leader: undefined }) }, "False NoLeader", /no leader/],
    ["that is full", { check: anAnswer({ alarms: ["NOSPACE"] }) }, "False NoSpace", /NOSPACE.*defragment/],
    ["that is corrupt", { check: anAnswer({ alarms: ["CORRUPT", "NOSPACE"] }) }, "False Corrupt", /CORRUPT/],
    ["that is nearly full", { check: anAnswer({ dbSize: 7 * 1024 ** 3 }) }, "True Ready", /ready for control planes/],
    ["without authentication", { check: anAnswer({ isAuthEnabled: false }) }, "False Disabled", /etcdctl auth enable/],
    [
      "without authentication but with only our data",
      { check: anAnswer({ isAuthEnabled: false }, true) },
      "False Enabling",
      /enabling authentication/,
    ],
    [
      "with one member down",
      { check: anAnswer({ endpoints: [{ endpoint: "a" }, { endpoint: "b", fault: "b is silent" }] }) },
      "True Ready",
      /ready for control planes/,
    ],
  ])("%s", (_name, change, expected, message) => {
    const ready = readyOf(observedWith(change));
    expect(`${ready?.status} ${ready?.reason}`).toBe(expected);
    expect(ready?.message).toMatch(message);
  });

  it("reports each unreachable member", () => {
    const endpoints = [{ endpoint: "a" }, { endpoint: "b", fault: "b is silent" }];
    const { conditions } = plan(observedWith({ check: anAnswer({ endpoints }) }));
    const reachable = conditions?.find(({ type }) => type === "Reachable");
    expect(reachable).toMatchObject({ status: "True", message: "1/2 endpoints reachable; b is silent" });
  });

  it("warns before the quota is exceeded", () => {
    const { events } = plan(observedWith({ check: anAnswer({ dbSize: 7 * 1024 ** 3 }) }));
    expect(events).toEqual([{ type: "Warning", reason: "NearlyFull", message: expect.stringContaining("8Gi") }]);
  });
});

describe("authentication", () => {
  const enable: DataStoreEffect = { type: "enableAuthentication", dataStore: "default" };

  it("is enabled in a store with nothing but our own data", () => {
    expect(plan(observedWith({ check: anAnswer({ isAuthEnabled: false }, true) })).effects).toEqual([enable]);
  });

  it.each([
    ["when it is enabled", anAnswer()],
    ["where others have something", anAnswer({ isAuthEnabled: false }, false)],
    ["without a leader", anAnswer({ leader: undefined, isAuthEnabled: undefined })],
  ])("is not changed %s", (_name, check) => {
    expect(plan(observedWith({ check })).effects).toEqual([]);
  });
});

describe("what is reported", () => {
  it("includes the control planes, version and size", () => {
    const { status } = plan(observedWith({ usedBy: ["a/blue", "b/green"] }));
    expect(status).toEqual({ usedBy: ["a/blue", "b/green"], version: "3.7.3", databaseSize: "100Mi", quota: "8Gi" });
  });

  it("is kept while the store is unreachable", () => {
    const status = { version: "3.6.0", databaseSize: "70Mi", quota: "2Gi" };
    const check: StoreCheck = { kind: "failed", reason: "Unreachable", message: "down" };
    expect(plan(observedWith({ dataStore: aDataStore({ status }), check })).status).toEqual(status);
  });

  it("is written once while the database grows and shrinks a little", () => {
    const sizes = fc.array(fc.integer({ min: 95 * mebibyte, max: 105 * mebibyte }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(sizes, (list) => {
        let dataStore = aDataStore();
        let writes = 0;
        for (const dbSize of list) {
          const decided = plan(observedWith({ dataStore, check: anAnswer({ dbSize }) }));
          const next = desiredStatus({
            primary: dataStore,
            plan: decided,
            failure: undefined,
            now,
            hasConditions: true,
          });
          if (next === undefined) continue;
          writes++;
          dataStore = aDataStore({ status: next });
        }
        expect(writes).toBe(1);
      }),
    );
  });

  it("includes the time of the next check", () => {
    expect(plan(observedWith()).requeueAfterMs).toBe(60_000);
    expect(plan(observedWith({ check: anAnswer({ alarms: ["NOSPACE"] }) })).requeueAfterMs).toBe(2_000);
    expect(plan(observedWith({ dataStore: aDedicatedDataStore(), check: undefined })).requeueAfterMs).toBeUndefined();
  });
});

describe("deletion", () => {
  const metadata = { deletionTimestamp: "2026-08-01T11:00:00Z" };

  it("waits for control planes that use the store, and names them", () => {
    const decided = plan(observedWith({ dataStore: aDataStore({ metadata }), usedBy: ["a/blue"] }));
    expect(decided.finalizer).toBe("hold");
    expect(decided.conditions).toMatchObject([{ type: "Ready", status: "False", reason: "InUse" }]);
    expect(decided.conditions?.[0]?.message).toContain("a/blue");
  });

  it("completes at once when no control plane does, whatever the state of the store", () => {
    const due = { secret: { name: "a" }, signer: { name: "b" }, fault: "old" };
    for (const check of [undefined, anAnswer({ isAuthEnabled: false }, true)]) {
      const decided = plan(observedWith({ dataStore: aDataStore({ metadata }), check, dueCertificates: [due] }));
      expect(decided).toEqual({ finalizer: "release" });
    }
  });
});

const checks = fc.oneof(
  fc.constant<StoreCheck>({ kind: "failed", reason: "Unreachable", message: "down" }),
  fc
    .record({
      leader: fc.constantFrom("1", undefined),
      alarms: fc.subarray(["NOSPACE", "CORRUPT"] as const),
      isAuthEnabled: fc.boolean(),
      dbSize: fc.integer({ min: 0, max: 8 * 1024 * mebibyte }),
      dbSizeQuota: fc.constantFrom(0, 2 * 1024 * mebibyte),
      isOurs: fc.boolean(),
    })
    .map(({ isOurs, ...status }) => anAnswer(status, isOurs)),
);
const anything = fc
  .record({
    usedBy: fc.uniqueArray(fc.constantFrom("a/a", "a/b", "b/a")),
    check: fc.option(checks, { nil: undefined }),
    isDue: fc.boolean(),
    isDeleted: fc.boolean(),
    spec: fc.constantFrom({}, { driver: "NATS" }),
  })
  .map(({ usedBy, check, isDue, isDeleted, spec }) => {
    const metadata = isDeleted ? { deletionTimestamp: "2026-08-01T11:00:00Z" } : {};
    const due = { secret: { name: "server" }, signer: { name: "ca" }, fault: "old" };
    return observedWith({
      dataStore: aDataStore({ metadata, spec }),
      usedBy,
      check,
      dueCertificates: isDue ? [due] : [],
    });
  });

/** The state after a plan was carried out. */
function settle(observed: Observed, decided: ReturnType<typeof plan>): Observed {
  const { dataStore, check } = observed;
  const effects = decided.effects ?? [];
  const isEnabled = effects.some(({ type }) => type === "enableAuthentication");
  const status = desiredStatus({ primary: dataStore, plan: decided, failure: undefined, now, hasConditions: true });
  return {
    ...observed,
    dataStore: status === undefined ? dataStore : { ...dataStore, status },
    check: isEnabled && check?.kind === "answered" ? anAnswer({ ...check.status, isAuthEnabled: true }) : check,
    dueCertificates: effects.some(({ type }) => type === "renewCertificate") ? [] : observed.dueCertificates,
  };
}

describe("a plan", () => {
  it("settles in any state", () => {
    fc.assert(
      fc.property(anything, (observed) => {
        settleToFixedPoint({ plan, observed, now, settle });
      }),
    );
  });

  it("reports Ready exactly when a control plane may be placed there", () => {
    fc.assert(
      fc.property(anything, (observed) => {
        const decided = planFrozen({ plan, observed, now, settle }, observed);
        const { dataStore, check } = observed;
        if (decided.finalizer === "release") return;
        const isWell =
          check?.kind === "answered" &&
          check.status.leader !== undefined &&
          check.status.isAuthEnabled === true &&
          check.status.alarms.length === 0;
        const mayServe =
          isWell && dataStore.spec.driver === "etcd" && dataStore.metadata.deletionTimestamp === undefined;
        const status = desiredStatus({
          primary: dataStore,
          plan: decided,
          failure: undefined,
          now,
          hasConditions: true,
        });
        const conditions = status?.["conditions"] as Parameters<typeof isConditionTrue>[0];
        expect(isConditionTrue(conditions, "Ready")).toBe(mayServe);
        expect(findCondition(conditions, "Ready")?.message).not.toBe("");
      }),
    );
  });

  it("releases a deleted DataStore once it is unused", () => {
    const dataStore = aDataStore({ metadata: { deletionTimestamp: "2026-08-01T11:00:00Z" } });
    const observed = observedWith({ dataStore, usedBy: ["a/blue", "a/green"] });
    settleDeletion({
      plan,
      observed,
      now,
      settle: (seen, decided) => ({ ...settle(seen, decided), usedBy: seen.usedBy.slice(1) }),
    });
  });
});
