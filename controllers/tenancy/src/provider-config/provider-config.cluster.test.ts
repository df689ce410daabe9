import { ButlerConfig, NetworkPool, ProviderConfig, Team, TenantCluster } from "@butler/api";
import type { ApiClient } from "@butler/kube";
import { builtinKinds, findCondition, keyText } from "@butler/resource";
import { Forbidden } from "@butler/std";
import { aSecret, eventually, aTestCluster, type TestCluster } from "@butler/testkit";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { aButlerConfig, aCluster, aNetworkPool, aProviderConfig, aTeam } from "../shared/testing/objects.ts";
import { runController } from "../shared/testing/run-controller.ts";
import { TenancyHarness } from "../shared/testing/tenancy-harness.ts";
import { providerConfigController } from "./controller.ts";
import { createProviderConfigPorts, type ProviderConfigPorts } from "./ports.ts";

const { Secret } = builtinKinds;
const namespace = "butler-system";
const key = { name: "harvester", namespace };

let cluster: TestCluster;
let harness: TenancyHarness;

/** Runs the controller, and records the Secrets that it reads. */
async function run(client: ApiClient = cluster.client) {
  const { secretKeys } = createProviderConfigPorts(client);
  const looked: string[] = [];
  const ports: ProviderConfigPorts = {
    secretKeys: (secret, signal) => {
      looked.push(keyText(secret));
      return secretKeys(secret, signal);
    },
  };
  const running = await runController(client, providerConfigController, { ports });
  harness.later(() => running.stop());
  return { ...running, looked };
}

async function putSecret(name: string, data: Record<string, string>, place = namespace): Promise<void> {
  await harness.create(Secret, aSecret({ name, namespace: place, data }));
  harness.later(() => cluster.client.delete(Secret, { name, namespace: place }).catch(() => undefined));
}

beforeAll(async () => {
  const resources = [ButlerConfig, NetworkPool, ProviderConfig, Team, TenantCluster];
  cluster = await aTestCluster({ resources });
  for (const name of [namespace, "payments"]) await cluster.createNamespace(name);
  harness = new TenancyHarness(cluster, [TenantCluster, ProviderConfig, NetworkPool, Team, ButlerConfig]);
});
afterEach(() => harness?.tidy());
afterAll(() => cluster?.stop());

describe("credentials", () => {
  it("are checked when they change, and only for their users", async () => {
    await harness.create(ProviderConfig, aProviderConfig());
    await harness.create(
      ProviderConfig,
      aProviderConfig({ name: "other", spec: { credentialsRef: { name: "other" } } }),
    );
    const { looked, written, runtime } = await run();
    const { status } = await harness.ready(ProviderConfig, key, "CredentialsInvalid");
    expect(status).toMatchObject({ ready: false, validated: false });
    expect(findCondition(status?.conditions, "Ready")?.message).toContain("Secret butler-system/harvester not found");

    await putSecret("harvester", { kubeconfig: "secret text" });
    expect((await harness.ready(ProviderConfig, key)).status).toMatchObject({ ready: true, validated: true });
    await eventually(() => runtime.isIdle, { what: "rest" });
    const [seen, wrote] = [looked.length, written.length];
    await putSecret("unrelated", { kubeconfig: "secret text" });
    await harness.merge(Secret, key, { data: { kubeconfig: Buffer.from("another").toString("base64") } });
    await eventually(() => looked.length > seen && runtime.isIdle, { what: "a check of the changed Secret" });
    expect(new Set(looked.slice(seen))).toEqual(new Set(["butler-system/harvester"]));
    expect(written.slice(wrote)).toEqual([]);

    await harness.merge(Secret, key, { data: { kubeconfig: "" } });
    await harness.ready(ProviderConfig, key, "CredentialsInvalid");
    await harness.merge(Secret, key, { data: { kubeconfig: "YQ==" } });
    await harness.ready(ProviderConfig, key);
    await cluster.client.delete(Secret, key);
    await harness.ready(ProviderConfig, key, "CredentialsInvalid");
  });

  it("in another namespace cannot be used by a team", async () => {
    await putSecret("harvester", { kubeconfig: "secret text" });
    const borrowed = aProviderConfig({ namespace: "payments", spec: { credentialsRef: key } });
    await harness.create(ProviderConfig, borrowed);
    await run();
    const { status } = await harness.ready(
      ProviderConfig,
      { name: "harvester", namespace: "payments" },
      "CredentialsInvalid",
    );
    expect(findCondition(status?.conditions, "Ready")?.message).toContain("is in another namespace");
  });

  it("are not required for machines as pods", async () => {
    await harness.create(ProviderConfig, { ...aProviderConfig(), spec: { provider: "local" } } as ProviderConfig);
    await run();
    await harness.ready(ProviderConfig, key);
  });
});

it("a ProviderConfig for a team waits for the team", async () => {
  await putSecret("harvester", { kubeconfig: "secret text" });
  await harness.create(
    ProviderConfig,
    aProviderConfig({ spec: { scope: { type: "team", teamRef: { name: "payments" } } } }),
  );
  await run();
  await harness.ready(ProviderConfig, key, "ValidationFailed");
  await harness.create(Team, aTeam());
  await harness.ready(ProviderConfig, key);
  await cluster.client.delete(Team, { name: "payments" });
  await harness.ready(ProviderConfig, key, "ValidationFailed");
});

it("the capacity follows the pools", async () => {
  await putSecret("harvester", { kubeconfig: "secret text" });
  const network = { mode: "ipam", poolRefs: [{ name: "datacenter" }] };
  await harness.create(ProviderConfig, aProviderConfig({ spec: { network } }));
  await run();
  await harness.ready(ProviderConfig, key, "ValidationFailed");
  await harness.create(NetworkPool, aNetworkPool());
  await harness.ready(ProviderConfig, key);
  const pool = { name: "datacenter", namespace };
  await harness.mergeStatus(NetworkPool, pool, { availableIPs: 130 });
  const capacity = () =>
    eventually(async () => (await cluster.client.get(ProviderConfig, key)).status?.capacity, { timeoutMs: 10_000 });
  expect(await capacity()).toEqual({ availableIPs: 130, estimatedTenants: 10 });
  await harness.mergeStatus(NetworkPool, pool, { availableIPs: 0 });
  const { status } = await harness.ready(ProviderConfig, key, "PoolExhausted");
  expect(status).toMatchObject({ ready: false, validated: true, capacity: { availableIPs: 0, estimatedTenants: 0 } });
});

describe("a ProviderConfig that clusters use", () => {
  const ways = [
    ["they refer to it", { spec: { providerConfigRef: { name: "harvester" } } }, {}],
    ["their team refers to it", {}, { team: { providerConfigRef: { name: "harvester" } } }],
    ["the platform refers to it", {}, { platform: { defaultProviderConfigRef: { name: "harvester" } } }],
  ] as const;
  it.each(ways)("is not deleted when %s", async (_how, traits, settings: { team?: object; platform?: object }) => {
    await putSecret("harvester", { kubeconfig: "secret text" });
    await harness.create(Team, aTeam({ spec: { ...settings.team } }));
    await harness.create(ButlerConfig, aButlerConfig({ spec: { ...settings.platform } }));
    await harness.create(ProviderConfig, aProviderConfig());
    await harness.create(TenantCluster, aCluster(traits));
    await run();
    await harness.ready(ProviderConfig, key);
    await cluster.client.delete(ProviderConfig, key);
    const { status } = await harness.ready(ProviderConfig, key, "DeletionBlocked");
    expect(findCondition(status?.conditions, "Ready")?.message).toContain("payments/shop");
    await cluster.client.delete(TenantCluster, { name: "shop", namespace: "payments" });
    await harness.gone(ProviderConfig, key);
  });

  it("is deleted although clusters use one of the same name in another namespace", async () => {
    await putSecret("harvester", { kubeconfig: "secret text" });
    await harness.create(ProviderConfig, aProviderConfig());
    const providerConfigRef = { name: "harvester", namespace: "payments" };
    await harness.create(TenantCluster, aCluster({ spec: { providerConfigRef } }));
    await run();
    await harness.ready(ProviderConfig, key);
    await cluster.client.delete(ProviderConfig, key);
    await harness.gone(ProviderConfig, key);
  });
});

it("the controller's permissions are enough for its work, and no more", async () => {
  const limited = await harness.asController(providerConfigController);
  await putSecret("harvester", { kubeconfig: "secret text" });
  await harness.create(ProviderConfig, aProviderConfig());
  await run(limited);
  await harness.ready(ProviderConfig, key);
  await expect(limited.delete(Secret, key)).rejects.toBeInstanceOf(Forbidden);
  await cluster.client.delete(ProviderConfig, key);
  await harness.gone(ProviderConfig, key);
});
