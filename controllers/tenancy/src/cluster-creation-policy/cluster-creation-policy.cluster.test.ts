import { ClusterCreationPolicy, Team } from "@butler/api";
import type { ApiClient } from "@butler/kube";
import { findCondition } from "@butler/resource";
import { Forbidden } from "@butler/std";
import { eventually, aTestCluster, type TestCluster } from "@butler/testkit";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { aPolicy, aTeam } from "../shared/testing/objects.ts";
import { runController } from "../shared/testing/run-controller.ts";
import { TenancyHarness } from "../shared/testing/tenancy-harness.ts";
import { clusterCreationPolicyController } from "./controller.ts";

const images = { name: "images" };

let cluster: TestCluster;
let harness: TenancyHarness;

async function run(client: ApiClient = cluster.client) {
  const running = await runController(client, clusterCreationPolicyController, { ports: {} });
  harness.later(() => running.stop());
  return running;
}

beforeAll(async () => {
  cluster = await aTestCluster({ resources: [ClusterCreationPolicy, Team] });
  harness = new TenancyHarness(cluster, [ClusterCreationPolicy, Team]);
});
afterEach(() => harness?.tidy());
afterAll(() => cluster?.stop());

it("conflicting policies report the conflict until one is deleted", async () => {
  await harness.create(ClusterCreationPolicy, aPolicy());
  const { written, runtime } = await run();
  await harness.ready(ClusterCreationPolicy, images);
  await harness.create(ClusterCreationPolicy, aPolicy({ name: "later" }));
  const { status } = await harness.ready(ClusterCreationPolicy, images, "Conflict");
  expect(findCondition(status?.conditions, "Ready")?.message).toContain("later (image)");
  await harness.ready(ClusterCreationPolicy, { name: "later" }, "Conflict");
  await eventually(() => runtime.isIdle, { what: "rest" });
  const before = written.length;
  await harness.merge(ClusterCreationPolicy, images, { metadata: { labels: { looked: "again" } } });
  await eventually(async () => (await runtime.preview(images))?.isSettled === true && runtime.isIdle);
  expect(written.slice(before)).toEqual([]);
  await cluster.client.delete(ClusterCreationPolicy, { name: "later" });
  await harness.ready(ClusterCreationPolicy, images);
});

it("a policy for an environment waits for the team and the environment", async () => {
  const scope = { teamAndEnvironment: { teamRef: { name: "payments" }, environmentName: "dev" } };
  await harness.create(ClusterCreationPolicy, aPolicy({ spec: { scope } }));
  await run();
  await harness.ready(ClusterCreationPolicy, images, "TeamMissing");
  await harness.create(Team, aTeam());
  await harness.ready(ClusterCreationPolicy, images, "EnvironmentMissing");
  await harness.merge(Team, { name: "payments" }, { spec: { environments: [{ name: "dev" }] } });
  await harness.ready(ClusterCreationPolicy, images);
});

it("the controller's permissions are enough for its work, and no more", async () => {
  const limited = await harness.asController(clusterCreationPolicyController);
  await harness.create(ClusterCreationPolicy, aPolicy());
  await run(limited);
  await harness.ready(ClusterCreationPolicy, images);
  await expect(limited.delete(ClusterCreationPolicy, images)).rejects.toBeInstanceOf(Forbidden);
});
