import type { Interceptor } from "@butler/controller";
import type { EtcdAdmin } from "@butler/etcd";
import { builtinKinds, findCondition } from "@butler/resource";
import { crashAfterEverySideEffect, eventually, type TestCluster } from "@butler/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tenantIdentity } from "../data-store/index.ts";
import { Deployment } from "./kinds.ts";
import { nameLabel } from "./names.ts";
import { runSteward } from "./testing/run-steward.ts";
import { type SharedStore, startSharedStore } from "./testing/shared-store.ts";
import { emptyTenants, TestTenant, withSteward } from "./testing/tenant-harness.ts";

let store: SharedStore | undefined;
let cluster: TestCluster;
let admin: EtcdAdmin;

beforeAll(async () => {
  store = await startSharedStore();
  ({ cluster, admin } = store);
});
afterAll(() => store?.stop());

/** A separate environment for each run; everything except Steward outlives the crash. */
function crashScenariosFor(purpose: string, change?: (tenant: TestTenant) => Promise<unknown>) {
  return async (run: number) => {
    const tenant = new TestTenant(cluster.client, `${purpose}-${run}`, {
      deployment: { replicas: 1 },
      version: "v1.35.4",
    });
    await cluster.createNamespace(tenant.namespace);
    await tenant.create();
    let isPrepared = change === undefined;
    const prepare = async (): Promise<void> => {
      if (isPrepared) return;
      isPrepared = true;
      const isReady = () => tenant.says("Ready", "UpAndRunning");
      await withSteward(cluster.client, () => eventually(isReady, { what: "a control plane to change" }));
      await change?.(tenant);
    };
    return {
      start: async (intercept: Interceptor) => {
        await prepare();
        const steward = await runSteward(cluster.client, { tenantSides: emptyTenants, intercept });
        return { isSettled: () => isSettled(steward, tenant), stop: steward.kill };
      },
      snapshot: () => lookAround(tenant),
      tearDown: () => tenant.drop(),
    };
  };
}

async function isSettled({ runtime }: Awaited<ReturnType<typeof runSteward>>, tenant: TestTenant): Promise<boolean> {
  if (await tenant.isGone()) return runtime.isIdle;
  const preview = await runtime.preview(tenant.at());
  if (!runtime.isIdle || preview?.isSettled !== true) return false;
  // Looked at last: what it said before may be from before the crash.
  const { metadata, status } = await tenant.controlPlane();
  return findCondition(status?.conditions, "Ready")?.status === "True" && metadata.deletionTimestamp === undefined;
}

async function lookAround(tenant: TestTenant): Promise<unknown> {
  const isInStore = (await admin.listUsers()).includes(tenantIdentity(tenant.uid).user);
  // What is left of its objects is the business of Kubernetes' own garbage collector.
  if (await tenant.isGone()) return { isGone: true, isInStore };
  const { status } = await tenant.controlPlane();
  const { spec } = (await tenant.find(Deployment)) as unknown as Deployment;
  return {
    isInStore,
    conditions: status?.conditions?.map(({ type, status: value, reason }) => `${type} ${value} ${reason}`).sort(),
    version: status?.kubernetesResources?.version,
    secrets: await tenant.names(builtinKinds.Secret, `${nameLabel}=blue`),
    images: spec.template.spec.containers.map(({ image }) => image),
  };
}

describe("Steward stopped after each of its side effects", () => {
  it("still finishes a creation", { timeout: 600_000 }, async () => {
    const report = await crashAfterEverySideEffect(crashScenariosFor("create"));
    expect(report.crashes).toBeGreaterThanOrEqual(18);
    expect(report.endState).toMatchObject({ version: { version: "v1.35.4", status: "Ready" }, isInStore: true });
  });

  it("still finishes a rotation", { timeout: 600_000 }, async () => {
    const report = await crashAfterEverySideEffect(crashScenariosFor("rotate", (tenant) => tenant.rotate("ca")));
    expect(report.crashes).toBeGreaterThanOrEqual(8);
    expect(report.endState).toMatchObject({ version: { status: "Ready" } });
  });

  it("still finishes an upgrade", { timeout: 600_000 }, async () => {
    const upgrade = (tenant: TestTenant) => tenant.patchSpec({ kubernetes: { version: "v1.36.3" } });
    const report = await crashAfterEverySideEffect(crashScenariosFor("upgrade", upgrade));
    expect(report.crashes).toBeGreaterThanOrEqual(2);
    expect(report.endState).toMatchObject({ version: { version: "v1.36.3", status: "Ready" } });
  });

  it("still finishes a deletion", { timeout: 600_000 }, async () => {
    const report = await crashAfterEverySideEffect(crashScenariosFor("delete", (tenant) => tenant.delete()));
    expect(report.sideEffects.map(({ verb }) => verb)).toContain("finalizer");
    expect(report.endState).toEqual({ isGone: true, isInStore: false });
  });
});
