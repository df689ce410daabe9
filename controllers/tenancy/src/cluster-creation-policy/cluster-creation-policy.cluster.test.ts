import { ClusterCreationPolicy, Team } from "@butler/api";
import type { ApiClient } from "@butler/kube";
import { findCondition } from "@butler/resource";
import { Forbidden } from "@butler/std";
import { eventually, aTestCluster, type TestCluster } from "@butler/testkit";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { aPolicy, aTeam } from "../shared/testing/objects.ts";
import { runController } from "../shared/testing/run-controller.ts";
import { TenancyWorld } from "../shared/testing/tenancy-world.ts";
import { clusterCreationPolicyController } from "./controller.ts";

const images = { name: "images" };

let cluster: TestCluster;
let world: TenancyWorld;

async function run(client: ApiClient = cluster.client) {
  const running = await runController(client, clusterCreationPolicyController, { ports: {} });
  world.later(() => running.stop());
  return running;
}

beforeAll(async () => {
  cluster = await aTestCluster({ resources: [ClusterCreationPolicy, Team] });
  world = new TenancyWorld(cluster, [ClusterCreationPolicy, Team]);
});
afterEach(() => world?.tidy());
afterAll(() => cluster?.stop());

it("conflicting policies report the conflict until one is deleted", async () => {
  await world.create(ClusterCreationPolicy, aPolicy());
  const { written, runtime } = await run();
  await world.ready(ClusterCreationPolicy, images);
  await world.create(ClusterCreationPolicy, aPolicy({ name: "later" }));
  const { status } = await world.ready(ClusterCreationPolicy, images, "Conflict");
  expect(findCondition(status?.conditions, "Ready")?.message).toContain("later (image)");
  await world.ready(ClusterCreationPolicy, { name: "later" }, "Conflict");
  await eventually(() => runtime.isIdle, { what: "rest" });
  const before = written.length;
  await world.merge(ClusterCreationPolicy, images, { metadata: { labels: { looked: "again" } } });
  await eventually(async () => (await runtime.preview(images))?.isSettled === true && runtime.isIdle);
  expect(written.slice(before)).toEqual([]);
  await cluster.client.delete(ClusterCreationPolicy, { name: "later" });
  await world.ready(ClusterCreationPolicy, images);
});

it("a policy for an environment waits for the team and the environment", async () => {
  const scope = { teamAndEnvironment: { teamRef: { name: "payments" }, environmentName: "dev" } };
  await world.create(ClusterCreationPolicy, aPolicy({ spec: { scope } }));
  await run();
  await world.ready(ClusterCreationPolicy, images, "TeamMissing");
  await world.create(Team, aTeam());
  await world.ready(ClusterCreationPolicy, images, "EnvironmentMissing");
  await world.merge(Team, { name: "payments" }, { spec: { environments: [{ name: "dev" }] } });
  await world.ready(ClusterCreationPolicy, images);
});

it("the controller's permissions are enough for its work, and no more", async () => {
  const limited = await world.asController(clusterCreationPolicyController);
  await world.create(ClusterCreationPolicy, aPolicy());
  await run(limited);
  await world.ready(ClusterCreationPolicy, images);
  await expect(limited.delete(ClusterCreationPolicy, images)).rejects.toBeInstanceOf(Forbidden);
});
