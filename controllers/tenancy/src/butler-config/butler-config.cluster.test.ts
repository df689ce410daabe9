import { ButlerConfig, ProviderConfig, Team, TenantCluster } from "@butler/api";
import type { ApiClient } from "@butler/kube";
import { builtinKinds, findCondition } from "@butler/resource";
import { Forbidden, InvalidInput } from "@butler/std";
import { eventually, aTestCluster, type TestCluster } from "@butler/testkit";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { aButlerConfig, aCluster, aProviderConfig, aTeam } from "../shared/testing/objects.ts";
import { runController } from "../shared/testing/run-controller.ts";
import { TenancyHarness } from "../shared/testing/tenancy-harness.ts";
import { butlerConfigController } from "./controller.ts";

const { Namespace } = builtinKinds;
const butler = { name: "butler" };

let cluster: TestCluster;
let harness: TenancyHarness;

async function run(client: ApiClient = cluster.client) {
  const running = await runController(client, butlerConfigController, { ports: {} });
  harness.later(() => running.stop());
  return running;
}

beforeAll(async () => {
  cluster = await aTestCluster({ resources: [ButlerConfig, ProviderConfig, Team, TenantCluster] });
  for (const name of ["butler-system", "payments"]) await cluster.createNamespace(name);
  harness = new TenancyHarness(cluster, [TenantCluster, Team, ProviderConfig, ButlerConfig]);
});
afterEach(() => harness?.tidy());
afterAll(() => cluster?.stop());

it("the API server rejects a second ButlerConfig", async () => {
  await expect(harness.create(ButlerConfig, aButlerConfig({ name: "second" }))).rejects.toBeInstanceOf(InvalidInput);
});

describe("the namespace of clusters without a team", () => {
  it("is created when the mode requires it, reconciled, and never deleted", async () => {
    const name = "without-team";
    await harness.create(ButlerConfig, aButlerConfig({ spec: { defaultNamespace: name } }));
    const { written, runtime } = await run();
    await harness.ready(ButlerConfig, butler);
    expect(await cluster.client.find(Namespace, { name })).toBeUndefined();
    await harness.merge(ButlerConfig, butler, { spec: { multiTenancy: { mode: "Optional" } } });
    await harness.ready(ButlerConfig, butler);
    const enforce = "pod-security.kubernetes.io/enforce";
    const labelIs = (text: string) =>
      eventually(async () => (await cluster.client.get(Namespace, { name })).metadata.labels?.[enforce] === text);
    await labelIs("restricted");
    await harness.merge(Namespace, { name }, { metadata: { labels: { [enforce]: "privileged" } } });
    await labelIs("restricted");
    await eventually(() => runtime.isIdle, { what: "rest" });
    const before = written.length;
    await harness.merge(ButlerConfig, butler, { metadata: { labels: { looked: "again" } } });
    await eventually(async () => (await runtime.preview(butler))?.isSettled === true && runtime.isIdle);
    expect(written.slice(before)).toEqual([]);
    await harness.merge(ButlerConfig, butler, { spec: { multiTenancy: { mode: "Enforced" } } });
    await harness.ready(ButlerConfig, butler);
    await cluster.client.delete(ButlerConfig, butler);
    const { metadata } = await cluster.client.get(Namespace, { name });
    expect([metadata.deletionTimestamp, metadata.ownerReferences]).toEqual([undefined, undefined]);
  });

  it("is used unchanged when it already exists", async () => {
    await cluster.createNamespace("brought");
    const before = await cluster.client.get(Namespace, { name: "brought" });
    const spec = { multiTenancy: { mode: "Disabled" }, defaultNamespace: "brought" };
    await harness.create(ButlerConfig, aButlerConfig({ spec }));
    await run();
    await harness.ready(ButlerConfig, butler);
    expect(await cluster.client.get(Namespace, { name: "brought" })).toEqual(before);
  });
});

it("the status follows teams, clusters, exposure and the default provider", async () => {
  const spec = { defaultProviderConfigRef: { name: "harvester" } };
  await harness.create(ButlerConfig, aButlerConfig({ spec }));
  await run();
  await harness.ready(ButlerConfig, butler);
  const statusWith = (expected: (status: NonNullable<ButlerConfig["status"]>) => boolean) =>
    eventually(async () => {
      const { status } = await cluster.client.get(ButlerConfig, butler);
      return status !== undefined && expected(status) && status;
    });
  const degraded = ({ conditions }: NonNullable<ButlerConfig["status"]>) => findCondition(conditions, "Degraded");
  await statusWith((status) => degraded(status)?.reason === "DefaultProviderMissing");
  await harness.create(ProviderConfig, aProviderConfig());
  await harness.create(Team, aTeam());
  await harness.create(TenantCluster, aCluster());
  const found = await statusWith((status) => status.clusterCount === 1 && degraded(status)?.status === "False");
  expect(found).toMatchObject({ teamCount: 1, controlPlaneExposureMode: "LoadBalancer", tcpProxyRequired: false });
  const controlPlaneExposure = { mode: "Ingress", hostname: "*.k8s.example.com" };
  await harness.merge(ButlerConfig, butler, { spec: { controlPlaneExposure } });
  await harness.mergeStatus(ButlerConfig, butler, { gitProvider: { connected: true } });
  await cluster.client.delete(TenantCluster, { name: "shop", namespace: "payments" });
  const last = await statusWith((status) => status.clusterCount === 0 && status.tcpProxyRequired === true);
  expect(last).toMatchObject({ controlPlaneExposureMode: "Ingress", gitProvider: { connected: true } });
});

it("the controller's permissions are enough for its work, and no more", async () => {
  const limited = await harness.asController(butlerConfigController);
  const spec = { multiTenancy: { mode: "Optional" }, defaultNamespace: "limited" };
  await harness.create(ButlerConfig, aButlerConfig({ spec }));
  await run(limited);
  await harness.ready(ButlerConfig, butler);
  await expect(limited.delete(ButlerConfig, butler)).rejects.toBeInstanceOf(Forbidden);
});
