import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { allResources, DataStore, ProviderConfig, Team, TenantCluster, TenantControlPlane } from "@butler/api";
import { ensureTools, Kubectl, type ToolPaths } from "@butler/engine";
import { type AdmissionHandler, connect, loadKubeConfig } from "@butler/kube";
import { builtinKinds, type DynamicObject, type Kind, type Resource } from "@butler/resource";
import { MetricsRegistry, silentLogger } from "@butler/telemetry";
import { eventually, aTestCluster, type TestCluster } from "@butler/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { AdmissionService } from "../admission/admission-service.ts";
import { webhookConfigurationKinds } from "../admission/manifests.ts";
import { chartFolder, chartRelease, installChart } from "./chart-install.ts";
import { platformNamespace as namespace } from "./platform.ts";
import { clusterWideObjects } from "./testing/cluster-wide.ts";

const run = promisify(execFile);
const name = "butler-steward";
const { mutating, validating } = webhookConfigurationKinds;

let cluster: TestCluster;
let tools: ToolPaths<"helm" | "kubectl">;
let kubectl: Kubectl;
let folder: string;
let before: Set<string>;
const stopping = new AbortController();
const ended: Promise<unknown>[] = [];

/** No pod can run here: the test runs the processes itself. */
const values = Object.fromEntries(
  ["steward", "controller", "sniGateway", "server"].map((role) => [role, { replicas: 0 }]),
);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "butler-chart-webhooks-"));
  tools = await ensureTools(["helm", "kubectl"]);
  cluster = await aTestCluster({ withControllerManager: true });
  const { kubeconfigPath: kubeconfig } = cluster.controlPlane;
  kubectl = new Kubectl({ program: tools.kubectl, kubeconfig });
  before = await clusterWideObjects(kubectl);
  await installChart({ helm: tools.helm, kubeconfig, values, timeoutMs: 60_000 });
}, 120_000);
afterAll(async () => {
  stopping.abort();
  await Promise.all(ended);
  await cluster?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** A kubeconfig of Steward's service account. */
async function kubeconfigOfRole(): Promise<string> {
  const token = (await kubectl.run(["create", "token", name, `--namespace=${namespace}`])).trim();
  const config = parse(await readFile(cluster.controlPlane.kubeconfigPath, "utf8")) as {
    users: { user: object }[];
  };
  for (const user of config.users) user.user = { token };
  const file = join(folder, "kubeconfig");
  await writeFile(file, stringify(config), { mode: 0o600 });
  return file;
}

/** Runs an admission server whose handlers allow everything. */
async function startService(handlers: readonly AdmissionHandler[]): Promise<{ stop: () => Promise<void> }> {
  const { client, close } = connect(loadKubeConfig(await kubeconfigOfRole()), { userAgent: name });
  const metrics = new MetricsRegistry();
  const service = new AdmissionService({ client, name, namespace, handlers, logger: silentLogger, metrics, port: 0 });
  const over = new AbortController();
  const work = async (): Promise<void> => {
    await service.run(AbortSignal.any([stopping.signal, over.signal]));
    await close();
  };
  const running = work();
  ended.push(running);
  await eventually(() => service.isReady, { what: "configurations by the account of the role" });
  return {
    stop: async () => {
      over.abort();
      await running;
    },
  };
}

const stores: AdmissionHandler = { path: "/validate", kind: DataStore, validate: () => [] };
const planes: AdmissionHandler = { path: "/mutate", kind: TenantControlPlane, mutate: () => ({}) };

interface Configuration extends DynamicObject {
  readonly webhooks?: readonly { readonly name: string; readonly clientConfig: { readonly caBundle?: string } }[];
}

const read = (kind: Kind): Promise<Configuration | undefined> => cluster.client.find(kind, { name });
const trusts = async (kind: Kind): Promise<(string | undefined)[]> =>
  ((await read(kind))?.webhooks ?? []).map(({ clientConfig }) => clientConfig.caBundle?.slice(0, 20));
/** The start of a certificate, base64-encoded twice. */
const certificate = Buffer.from("-----BEGIN CERTIFICATE").toString("base64").slice(0, 20);

async function setTimeouts(kind: Kind, timeoutSeconds: number): Promise<void> {
  const patch = [{ op: "replace", path: "/webhooks/0/timeoutSeconds", value: timeoutSeconds }];
  await cluster.client.patch(kind, { name }, { type: "json", patch });
}

async function helm(...args: readonly string[]): Promise<void> {
  const file = join(folder, "values.json");
  await writeFile(file, JSON.stringify(values));
  const place = [`--namespace=${namespace}`, `--kubeconfig=${cluster.controlPlane.kubeconfigPath}`];
  await run(tools.helm, [...args, ...place, ...(args[0] === "upgrade" ? [`--values=${file}`] : [])]);
}

describe("webhook configurations", { timeout: 60_000 }, () => {
  let service: Awaited<ReturnType<typeof startService>>;

  it.each<Resource>([Team, TenantCluster, ProviderConfig, DataStore, TenantControlPlane])(
    "reject every $kind before the first process has started",
    async (kind) => {
      const { metadata, ...example } = kind.example as { metadata: object };
      const object = {
        apiVersion: kind.apiVersion,
        kind: kind.kind,
        ...example,
        metadata: { ...metadata, name: "asked", namespace },
      };
      const attempt = cluster.client.create(kind, object, { dryRun: true });
      await expect(attempt).rejects.toThrow(/the admission webhooks of butler-(steward|controller) are not registered/);
    },
  );

  it("are installed empty by the chart, and filled by the role's service account", async () => {
    expect((await read(validating))?.webhooks).toBeUndefined();
    service = await startService([stores, planes]);
    expect([await trusts(validating), await trusts(mutating)]).toEqual([[certificate], [certificate]]);
    expect((await read(validating))?.metadata.labels).toMatchObject({ "app.kubernetes.io/managed-by": "Helm" });
  });

  it.each([
    ["server-side, without a word about conflicts", ["--server-side=true"]],
    ["server-side, taking everything over", ["--server-side=true", "--force-conflicts"]],
    ["as Helm 3 did", ["--server-side=false"]],
  ])("are not changed by an upgrade: %s", async (_title, flags) => {
    const found = (await read(validating))?.webhooks;
    await helm("upgrade", chartRelease, chartFolder, ...flags, "--set=logLevel=debug");
    await helm("upgrade", chartRelease, chartFolder, ...flags);
    expect((await read(validating))?.webhooks).toEqual(found);
    expect(await trusts(validating)).toEqual([certificate]);
  });

  it("are not changed by a rollback", async () => {
    const found = (await read(mutating))?.webhooks;
    await helm("rollback", chartRelease);
    expect((await read(mutating))?.webhooks).toEqual(found);
  });

  it("are restored within seconds when another client empties or weakens them", async () => {
    const { metadata, ...object } = (await read(validating)) ?? expect.fail("gone");
    const { resourceVersion } = metadata;
    await cluster.client.replace(validating, {
      ...object,
      metadata: { name, resourceVersion },
      webhooks: [],
    } as DynamicObject);
    await eventually(async () => (await trusts(validating)).length === 1);
    const soften = [{ op: "replace", path: "/webhooks/0/failurePolicy", value: "Ignore" }];
    await cluster.client.patch(validating, { name }, { type: "json", patch: soften });
    await eventually(async () => JSON.stringify(await read(validating)).includes('"failurePolicy":"Fail"'));
  });

  it("are recreated when deleted, and still belong to the chart", async () => {
    await cluster.client.delete(mutating, { name });
    const found = await eventually(async () => (await trusts(mutating)).length === 1 && read(mutating));
    const owner = await cluster.client.get(builtinKinds.ClusterRole, { name });
    expect(found?.metadata.ownerReferences).toMatchObject([{ kind: "ClusterRole", uid: owner.metadata.uid }]);
    await helm("upgrade", chartRelease, chartFolder);
  });

  it("are owned by the newer version while two versions run", async () => {
    const newer = await startService([{ ...stores, path: "/validate-v2" }, planes]);
    await newer.stop();
    await setTimeouts(validating, 30);
    // This one is the same in both versions, so the older process, which is still running, has work to do.
    await setTimeouts(mutating, 30);
    await eventually(async () => JSON.stringify(await read(mutating)).includes('"timeoutSeconds":10'));
    const found = JSON.stringify(await read(validating));
    expect(found).toContain("/validate-v2");
    expect(found).toContain('"timeoutSeconds":30');
  });

  it("are deleted with the chart, even while processes still restore them; nothing else of the chart remains", async () => {
    await service.stop();
    await startService([stores, planes]);
    await helm("uninstall", chartRelease);
    const kinds = allResources.map(({ plural, group }) => `${plural}.${group}`);
    const groups = new Set(allResources.map(({ group, version }) => `${version}.${group}`));
    const documented = new Set([
      ...kinds.map((kind) => `customresourcedefinition.apiextensions.k8s.io/${kind}`),
      // Objects that the API server itself maintains for each kind.
      ...[...groups].map((group) => `apiservice.apiregistration.k8s.io/${group}`),
      `namespace/${namespace}`,
      "namespace/butler-terminals",
      "namespace/butler-cli",
      "namespace/butler-cli-admins",
    ]);
    let left: readonly string[] = [];
    const isTidy = async (): Promise<boolean> => {
      left = [...(await clusterWideObjects(kubectl))].filter((each) => !before.has(each) && !documented.has(each));
      return left.length === 0;
    };
    await eventually(isTidy, { intervalMs: 500, what: () => `the end of ${left.join(", ")}` });
    const secrets = { name: `${name}-webhook`, namespace };
    await eventually(async () => (await cluster.client.find(builtinKinds.Secret, secrets)) === undefined);
  });
});
