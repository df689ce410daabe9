import { earlierKubernetesImages } from "@butler/engine";
import { X509Certificate } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ClientGoLoad, clientGoProgram, type ClientGoReport, expectedTexts } from "./lib/client-go-load.ts";
import { tenantVersion } from "./lib/cluster-objects.ts";
import { canHostEngine, EngineWithButler } from "./lib/engine-with-butler.ts";
import type { HostedControlPlanes } from "./lib/hosted-control-planes.ts";
import { makeIntactObjects, readIntactObjects } from "./lib/intact-objects.ts";
import type { KubectlCalls } from "./lib/kubectl-calls.ts";
import { NewConnectionsLoad, textOf } from "./lib/new-connections-load.ts";

const minutes = 60_000;
const earlierVersion = "v1.35.4";
const name = "blue";

let platform: EngineWithButler;
let tenants: HostedControlPlanes;
let tenant: KubectlCalls;

/** Makes a change under load until no old pod is left, and verifies that no client was affected. */
async function changeUnderLoad(what: string, change: () => Promise<void>): Promise<void> {
  const before = await tenants.pods(name);
  const newConnections = new NewConnectionsLoad(await tenants.adminKubeconfig(name), `${what}-new`);
  const clientGo = await ClientGoLoad.begin(await tenants.kubeconfigFile(name), what);
  const stop = () => Promise.all([clientGo.stop(), newConnections.stop()]);
  try {
    await clientGo.further(40);
    const startedAt = performance.now();
    await change();
    await tenants.replaced(name, before);
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
    await clientGo.further(40);
    const [report, fresh] = await stop();
    const { sent, failures, slowestMs, repeated, watch } = report;
    console.log(`${what}: ${seconds} s; client-go sent ${sent} requests, ${failures.length} failed`);
    console.log(`${what}: the slowest took ${slowestMs} ms; sent again by client-go: ${JSON.stringify(repeated)}`);
    console.log(`${what}: ${watch.added.length} ConfigMaps seen by a watch that was resumed ${watch.resumed} times`);
    console.log(
      `${what}: ${fresh.sent} new connections, ${fresh.failures.length} failed, ${fresh.slowestMs} ms at most`,
    );
    expect([...failures, ...fresh.failures]).toEqual([]);
    expectEveryEventOnce(report);
    await expectTexts(
      what,
      new Map([...expectedTexts(report), ...fresh.made.map((made) => [made, textOf(made)] as const)]),
    );
  } finally {
    await stop();
  }
}

/** The watch delivered each confirmed write once, and nothing else; no server refused to resume it. */
function expectEveryEventOnce({ made, changed, removed, watch }: ClientGoReport): void {
  expect(watch.lost).toBe("");
  expect(watch.refusals).toEqual([]);
  expect(watch.added.toSorted()).toEqual(made.toSorted());
  expect(watch.modified.toSorted()).toEqual(changed.toSorted());
  expect(watch.deleted.toSorted()).toEqual(removed.toSorted());
  for (const names of [made, changed, removed]) expect(names.length).toBeGreaterThan(0);
  // The server of the earlier events has exited, so a watch that was never resumed did not run.
  expect(watch.resumed).toBeGreaterThan(0);
}

/** Exactly these ConfigMaps of a load exist, each with its text. */
async function expectTexts(what: string, texts: ReadonlyMap<string, string>): Promise<void> {
  const list = await tenant.run("get", "configmaps", "-n", "default", "-o", "json");
  const { items } = JSON.parse(list) as { items: { metadata: { name: string }; data: { text: string } }[] };
  const found = items.filter(({ metadata }) => metadata.name.startsWith(`${what}-`));
  expect(new Map(found.map(({ metadata, data }) => [metadata.name, data.text]))).toEqual(texts);
}

const servedVersion = async (): Promise<string> =>
  (JSON.parse(await tenant.run("get", "--raw", "/version")) as { gitVersion: string }).gitVersion;

describe.runIf(canHostEngine)("a control plane with two replicas", { timeout: 8 * minutes }, () => {
  beforeAll(async () => {
    await clientGoProgram();
    platform = await EngineWithButler.shared("upgrades");
    await platform.engine.addImages(await earlierKubernetesImages());
    tenants = await platform.controlPlanesIn("upgrades");
    await tenants.apply({ name, version: earlierVersion, replicas: 2 });
    await tenants.ready(name);
    tenant = await tenants.kubectlOf(name);
  }, 8 * minutes);

  afterAll(() => platform?.leave(), 3 * minutes);

  it("upgrades to the next minor version without disruption", async () => {
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

  it("rotates certificates on request without disruption", async () => {
    const secrets = ["api-server-certificate", "datastore-certificate", "controller-manager-kubeconfig"];
    const fingerprint = async (): Promise<string> =>
      new X509Certificate(await tenants.secretText(`${name}-api-server-certificate`, "apiserver.crt")).fingerprint256;
    const before = await fingerprint();
    await changeUnderLoad("rotation", () => tenants.rotate(name, ...secrets));
    expect(await fingerprint()).not.toBe(before);
    for (const secret of secrets) expect(await tenants.rotatedAt(name, secret)).toMatch(/^\d+-\d+-\d+T[\d:]+Z$/);
  });

  it("rejects a downgrade", async () => {
    await expect(tenants.apply({ name, version: earlierVersion, replicas: 2 })).rejects.toThrow(
      `cannot be downgraded from ${tenantVersion} to ${earlierVersion}`,
    );
    expect(await servedVersion()).toBe(tenantVersion);
  });

  it("rejects skipping a minor version, also when suspended", async () => {
    await tenants.apply({ name: "old", version: "v1.34.1", replicas: 0 });
    await expect(tenants.apply({ name: "old", version: tenantVersion, replicas: 0 })).rejects.toThrow(
      `cannot be upgraded from v1.34.1 to ${tenantVersion} directly; upgrade to v1.35 first`,
    );
    expect((await tenants.get("old")).spec.kubernetes.version).toBe("v1.34.1");
  });
});
