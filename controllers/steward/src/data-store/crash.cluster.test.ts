import { DataStore, TenantControlPlane } from "@butler/api";
import { type Interceptor, passThrough } from "@butler/controller";
import { EtcdAdmin } from "@butler/etcd";
import { EtcdKeys } from "@butler/etcd/testing";
import { builtinKinds, findCondition, isBeingDeleted } from "@butler/resource";
import {
  crashAfterEverySideEffect,
  type CrashReport,
  type CrashScenario,
  type RunningController,
  startAfterChange,
  type TestCluster,
} from "@butler/testkit";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { textOf } from "./content-ref.ts";
import { DueCertificates } from "./testing/due-certificates.ts";
import { runDataStores } from "./testing/running-stores.ts";
import { storeNamespace as namespace, storeSecret, startStores, type StoreHarness } from "./testing/store-harness.ts";

const store = { name: "shared" };
const user = { name: "blue", namespace };

let cluster: TestCluster;
let harness: StoreHarness;

beforeAll(async () => {
  ({ cluster, harness } = await startStores());
});
// Each run cleans up after itself; this covers a failed setup.
afterEach(() => harness?.tidy());
afterAll(() => cluster?.stop());

/** The parameters of a scenario. */
interface Scenario {
  readonly isUsed?: boolean;
  /** Steps in order, each taken once everything has settled and no watch is open. */
  readonly changes?: readonly (() => Promise<unknown>)[];
  readonly certificates?: DueCertificates;
}

type Start = (intercept?: Interceptor) => Promise<RunningController>;

/** Runs a scenario with a crash in each run, and with a new etcd and its DataStore. */
function crashIn(scenarioOf: () => Scenario): Promise<CrashReport> {
  const setUp = async (): Promise<CrashScenario> => {
    const { isUsed = false, changes = [], certificates } = scenarioOf();
    const { endpoint } = await harness.startEtcd();
    await harness.createStore(store.name, [endpoint]);
    if (isUsed) await harness.createControlPlane(user.name, store.name);
    const { uid } = (await cluster.client.get(DataStore, store)).metadata;
    const start: Start = async (intercept = passThrough) => {
      const running = await runDataStores(cluster.client, {
        callLimitMs: 10_000,
        intercept: (effect, run) =>
          intercept(effect, async () => {
            const result = await run();
            if (effect.target === "renewCertificate") await certificates?.note();
            return result;
          }),
      });
      harness.later(running.kill);
      return { isSettled: () => isSettled(running), stop: running.kill };
    };
    const startAfterAll = changes.reduce<Start>((startBefore, change) => {
      const startAfter = startAfterChange(startBefore, change);
      return (intercept = passThrough) => startAfter(intercept);
    }, start);
    return {
      start: startAfterAll,
      snapshot: async () => ({
        dataStore: await describeDataStore(),
        store: await describeStore(endpoint),
        told: await countEvents(uid, "InUse"),
        certificates: await certificates?.describe(),
      }),
      tearDown: () => harness.tidy(),
    };
  };
  return crashAfterEverySideEffect(setUp, { timeoutMs: 30_000 });
}

async function isSettled({ runtime }: Awaited<ReturnType<typeof runDataStores>>): Promise<boolean> {
  const live = await cluster.client.find(DataStore, store);
  if (live === undefined) return runtime.isIdle;
  const { metadata, status } = live;
  const { reason } = findCondition(status?.conditions, "Ready") ?? {};
  const hasArrived = reason === (isBeingDeleted(live) ? "InUse" : "Ready");
  // Evaluating the plan queries the store, so it comes last: no query may run while authentication is being enabled.
  if (!hasArrived || status?.observedGeneration !== metadata.generation || !runtime.isIdle) return false;
  const preview = await runtime.preview(store);
  return preview?.isSettled === true && preview.finalizer !== "release" && runtime.isIdle;
}

/** The status of a DataStore, without values that differ between runs. */
async function describeDataStore(): Promise<unknown> {
  const live = await cluster.client.find(DataStore, store);
  if (live === undefined) return "gone";
  const { observedGeneration: _generation, conditions = [], ...facts } = live.status ?? {};
  return {
    isBeingDeleted: isBeingDeleted(live),
    finalizers: live.metadata.finalizers,
    facts,
    conditions: conditions
      .map(({ type, status, reason, message }) => `${type} ${status} ${reason}: ${message}`)
      .sort((one, other) => one.localeCompare(other)),
  };
}

/** The response of the store to a client with the certificate that is currently in the Secret. */
async function describeStore(endpoint: string): Promise<unknown> {
  const secret = await cluster.client.get(builtinKinds.Secret, { name: storeSecret, namespace });
  const [cert = "", key = ""] = [textOf(secret, "tls.crt"), textOf(secret, "tls.key")];
  const connection = { endpoints: [endpoint], ca: harness.authority.cert, cert, key };
  const [admin, keys] = [new EtcdAdmin(connection), new EtcdKeys(connection)];
  try {
    return {
      isAuthEnabled: (await admin.status()).isAuthEnabled,
      users: await admin.listUsers(),
      roles: await admin.listRoles(),
      rolesOfRoot: await keys.rolesOf("root"),
      accessRevision: await keys.accessRevision(),
    };
  } finally {
    admin.close();
    keys.close();
  }
}

/** How many Events there are; one that is recorded again after a crash is still the same. */
async function countEvents(uid: string | undefined, reason: string): Promise<number> {
  const { items } = await cluster.client.list(builtinKinds.Event, { namespace: "default" });
  return items.filter((event) => {
    const { uid: about } = event["involvedObject"] as { uid?: string };
    return about === uid && event["reason"] === reason;
  }).length;
}

// How often a status is written depends on timing; in which order things are done first does not.
const outline = ({ sideEffects }: CrashReport) => [
  ...new Set(sideEffects.map(({ verb, target }) => `${verb} ${target.replace(/ .*/, "")}`)),
];

const dataStores = "datastores.steward.butlerlabs.dev";
const finalizers = ["finalizer.steward.butlerlabs.dev/data-store-in-use"];
const rules = { isAuthEnabled: true, users: ["root"], roles: ["root"], rolesOfRoot: ["root"] };
const well = [
  "AuthenticationEnabled True Enabled: users and roles are enforced",
  "Reachable True Answering: endpoint reachable",
  "Ready True Ready: ready for control planes",
  "SpaceAvailable True Enough: the database size is within its quota",
];

const deleteStore = () => cluster.client.delete(DataStore, store);
const deleteUser = () => cluster.client.delete(TenantControlPlane, user);

describe("the controller of DataStores stopped after each of its side effects", () => {
  it("still prepares a new store", async () => {
    const report = await crashIn(() => ({}));
    expect(outline(report)).toEqual([
      `finalizer ${dataStores}`,
      "perform enableAuthentication",
      "event Enabling",
      `status ${dataStores}`,
    ]);
    expect(report.endState).toMatchObject({
      dataStore: { isBeingDeleted: false, finalizers, facts: { quota: "2Gi" }, conditions: well },
      store: rules,
      told: 0,
    });
  });

  it("still renews each due certificate once", async () => {
    const report = await crashIn(() => {
      const certificates = new DueCertificates(cluster.client, harness);
      return { certificates, changes: [() => certificates.create(store.name)] };
    });
    expect(outline(report)).toEqual(["perform renewCertificate"]);
    expect(report.crashes).toBeGreaterThanOrEqual(2);
    expect(report.endState).toMatchObject({
      dataStore: { finalizers, conditions: well },
      store: rules,
      certificates: [
        { name: storeSecret, fault: undefined, renewals: 1, hours: 48 },
        { name: "store-server", fault: undefined, renewals: 1, hours: 48 },
      ],
    });
  });

  it("still keeps a store in use, and reports it", async () => {
    const report = await crashIn(() => ({ isUsed: true, changes: [deleteStore] }));
    expect(outline(report)).toEqual(["event InUse", `status ${dataStores}`]);
    expect(report.endState).toMatchObject({
      dataStore: {
        isBeingDeleted: true,
        finalizers,
        facts: { usedBy: ["steward-system/blue"] },
        conditions: ["Ready False InUse: waiting for 1 control plane(s) to be deleted: steward-system/blue"],
      },
      store: rules,
      told: 1,
    });
  });

  it("still releases a store that is no longer used", async () => {
    const report = await crashIn(() => ({ isUsed: true, changes: [deleteStore, deleteUser] }));
    expect(outline(report)).toEqual([`finalizer ${dataStores}`]);
    expect(report.endState).toMatchObject({ dataStore: "gone", store: rules, told: 1 });
  });
});
