import { earlierKubernetesImages } from "@butler/engine";
import { X509Certificate } from "node:crypto";
import { eventually } from "@butler/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tenantVersion } from "./lib/cluster-objects.ts";
import { canHostEngine, EngineWithButler } from "./lib/engine-with-butler.ts";
import { HeldWatch } from "./lib/held-watch.ts";
import type { HostedControlPlanes } from "./lib/hosted-control-planes.ts";
import { makeIntactObjects, readIntactObjects } from "./lib/intact-objects.ts";
import type { KubectlCalls } from "./lib/kubectl-calls.ts";
import { SteadyLoad } from "./lib/steady-load.ts";

const minutes = 60_000;
const earlierVersion = "v1.35.4";
const name = "blue";

let platform: EngineWithButler;
let tenants: HostedControlPlanes;
let tenant: KubectlCalls;

/** Makes a change under load, from before it until no pod of before is left, and checks that no client noticed. */
async function changeUnderLoad(what: string, change: () => Promise<void>): Promise<void> {
  const before = await tenants.pods(name);
  const watch = await HeldWatch.begin(await tenants.clientOf(name));
  const load = new SteadyLoad(await tenants.adminKubeconfig(name), what);
  try {
    await load.further(40);
    const startedAt = performance.now();
    await change();
    await tenants.replaced(name, before);
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
    await load.further(40);
    const { sent, failures, slowestMs, turnedAway, made } = await load.stop();
    const came = `${sent} requests, ${failures.length} failed, ${turnedAway} asked to come again`;
    console.log(`${what}: ${seconds} s; ${came}, the slowest took ${slowestMs} ms`);
    expect(failures).toEqual([]);
    const unseen = (): string[] => made.filter((configMap) => !watch.added.includes(configMap));
    await eventually(() => unseen().length === 0, { what: () => `the events of ${unseen().join(", ")}` });
    await everyTextIsThere(made);
  } finally {
    await Promise.all([load.stop(), watch.end()]);
  }
  const { added, resumed, refusals } = await watch.end();
  console.log(`${what}: ${added.length} events in a watch that was taken up again ${resumed} times`);
  expect(refusals).toEqual([]);
  expect(new Set(added).size).toBe(added.length);
  // The one who gave the events before is gone, so a watch that was never taken up again was not there.
  expect(resumed).toBeGreaterThan(0);
}

async function everyTextIsThere(configMaps: readonly string[]): Promise<void> {
  const list = await tenant.run("get", "configmaps", "-n", "default", "-o", "json");
  const { items } = JSON.parse(list) as { items: { metadata: { name: string }; data: { text: string } }[] };
  const texts = new Map(items.map(({ metadata, data }) => [metadata.name, data.text]));
  expect(configMaps.filter((configMap) => texts.get(configMap) !== `this is ${configMap}`)).toEqual([]);
}

const servedVersion = async (): Promise<string> =>
  (JSON.parse(await tenant.run("get", "--raw", "/version")) as { gitVersion: string }).gitVersion;

describe.runIf(canHostEngine)("a control plane with two replicas", { timeout: 8 * minutes }, () => {
  beforeAll(async () => {
    platform = await EngineWithButler.prepare("steward-up");
    await platform.start();
    await platform.engine.addImages(await earlierKubernetesImages());
    tenants = await platform.controlPlanesIn("upgrades");
    await tenants.apply({ name, version: earlierVersion, replicas: 2 });
    await tenants.ready(name);
    tenant = await tenants.kubectlOf(name);
  }, 8 * minutes);

  afterAll(() => platform?.remove(), 3 * minutes);

  it("goes to the next minor version and no client notices", async () => {
    expect(await servedVersion()).toBe(earlierVersion);
    await makeIntactObjects(tenant);
    const before = await readIntactObjects(tenant);
    expect(before).toHaveLength(5);
    await changeUnderLoad("upgrade", () => tenants.apply({ name, version: tenantVersion, replicas: 2 }));
    expect(await servedVersion()).toBe(tenantVersion);
    const { kubernetesResources } = (await tenants.get(name)).status ?? {};
    expect(kubernetesResources?.version).toEqual({ version: tenantVersion, status: "Ready" });
    expect(await readIntactObjects(tenant)).toEqual(before);
  });

  it("gets new certificates when somebody asks for them and no client notices", async () => {
    const secrets = ["api-server-certificate", "datastore-certificate", "controller-manager-kubeconfig"];
    const fingerprint = async (): Promise<string> =>
      new X509Certificate(await tenants.secretText(`${name}-api-server-certificate`, "apiserver.crt")).fingerprint256;
    const before = await fingerprint();
    await changeUnderLoad("rotation", () => tenants.rotate(name, ...secrets));
    expect(await fingerprint()).not.toBe(before);
    for (const secret of secrets) expect(await tenants.rotatedAt(name, secret)).toMatch(/^\d+-\d+-\d+T[\d:]+Z$/);
  });

  it("does not go back", async () => {
    await expect(tenants.apply({ name, version: earlierVersion, replicas: 2 })).rejects.toThrow(
      `cannot go back from ${tenantVersion} to ${earlierVersion}`,
    );
    expect(await servedVersion()).toBe(tenantVersion);
  });

  it("does not skip a minor version, also when it sleeps", async () => {
    await tenants.apply({ name: "old", version: "v1.34.1", replicas: 0 });
    await expect(tenants.apply({ name: "old", version: tenantVersion, replicas: 0 })).rejects.toThrow(
      `cannot go from v1.34.1 to ${tenantVersion} at once; v1.35 comes next`,
    );
    expect((await tenants.get("old")).spec.kubernetes.version).toBe("v1.34.1");
  });
});
