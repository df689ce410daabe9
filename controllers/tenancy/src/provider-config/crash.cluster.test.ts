import { ButlerConfig, NetworkPool, ProviderConfig, Team, TenantCluster } from "@butler/api";
import type { Interceptor } from "@butler/controller";
import { builtinKinds, type ObjectKey } from "@butler/resource";
import { aSecret, crashAfterEverySideEffect, startAfterChange, aTestCluster, type TestCluster } from "@butler/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aNetworkPool, aProviderConfig } from "../shared/testing/objects.ts";
import { runController } from "../shared/testing/run-controller.ts";
import { TenancyHarness } from "../shared/testing/tenancy-harness.ts";
import { providerConfigController } from "./controller.ts";
import { createProviderConfigPorts } from "./ports.ts";

const namespace = "butler-system";

let cluster: TestCluster;
let harness: TenancyHarness;

beforeAll(async () => {
  const resources = [ButlerConfig, NetworkPool, ProviderConfig, Team, TenantCluster];
  cluster = await aTestCluster({ resources });
  await cluster.createNamespace(namespace);
  harness = new TenancyHarness(cluster, [ProviderConfig, NetworkPool]);
  await harness.create(
    builtinKinds.Secret,
    aSecret({ name: "harvester", namespace, data: { kubeconfig: "secret text" } }),
  );
  await harness.create(NetworkPool, aNetworkPool());
  await harness.mergeStatus(NetworkPool, { name: "datacenter", namespace }, { availableIPs: 130 });
});
afterAll(async () => {
  await harness?.tidy();
  await cluster?.stop();
});

/** A ProviderConfig without its name and fields that differ between runs. */
async function lookAround(key: ObjectKey): Promise<unknown> {
  const config = await cluster.client.find(ProviderConfig, key);
  if (config === undefined) return { isGone: true };
  const { ready, validated, capacity, conditions } = config.status ?? {};
  return {
    finalizers: config.metadata.finalizers,
    ready,
    validated,
    capacity,
    conditions: conditions?.map(({ type, status, reason }) => `${type} ${status} ${reason}`).sort(),
  };
}

/** A separate ProviderConfig for each run. */
function crashScenariosFor(purpose: string, change?: (key: ObjectKey) => Promise<unknown>) {
  return async (run: number) => {
    const key = { name: `${purpose}-${run}`, namespace };
    await harness.create(ProviderConfig, aProviderConfig(key));
    const start = async (intercept?: Interceptor) => {
      const ports = createProviderConfigPorts(cluster.client);
      const options = intercept === undefined ? { ports } : { ports, intercept };
      const { runtime, kill } = await runController(cluster.client, providerConfigController, options);
      const isSettled = async (): Promise<boolean> => {
        const config = await cluster.client.find(ProviderConfig, key);
        if (config === undefined) return runtime.isIdle;
        const { metadata, status } = config;
        if (metadata.deletionTimestamp !== undefined) return false;
        const preview = await runtime.preview(key);
        return runtime.isIdle && preview?.isSettled === true && status?.observedGeneration === metadata.generation;
      };
      return { isSettled, stop: kill };
    };
    return {
      start: startAfterChange(start, change && (() => change(key))),
      snapshot: () => lookAround(key),
      tearDown: () => harness.tidyAway(ProviderConfig, key),
    };
  };
}

const verbs = ({ sideEffects }: Awaited<ReturnType<typeof crashAfterEverySideEffect>>) => [
  ...new Set(sideEffects.map(({ verb }) => verb)),
];

describe("the controller of ProviderConfigs stopped after each of its side effects", () => {
  it("still validates a new one", { timeout: 300_000 }, async () => {
    const report = await crashAfterEverySideEffect(crashScenariosFor("made"));
    expect(verbs(report)).toEqual(["finalizer", "status"]);
    expect(report.endState).toMatchObject({
      finalizers: ["butler.butlerlabs.dev/providerconfig"],
      ready: true,
      conditions: ["CredentialsValid True Ready", "Ready True Ready"],
    });
  });

  it("still validates a changed one", { timeout: 300_000 }, async () => {
    const network = { mode: "ipam", poolRefs: [{ name: "datacenter" }] };
    const report = await crashAfterEverySideEffect(
      crashScenariosFor("changed", (key) => harness.merge(ProviderConfig, key, { spec: { network } })),
    );
    expect(verbs(report)).toEqual(["status"]);
    expect(report.endState).toMatchObject({ ready: true, capacity: { availableIPs: 130, estimatedTenants: 10 } });
  });

  it("still releases a deleted one", { timeout: 300_000 }, async () => {
    const report = await crashAfterEverySideEffect(
      crashScenariosFor("gone", (key) => cluster.client.delete(ProviderConfig, key)),
    );
    expect(verbs(report)).toEqual(["finalizer"]);
    expect(report.endState).toEqual({ isGone: true });
  });
});
