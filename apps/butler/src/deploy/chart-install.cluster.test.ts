import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { allResources } from "@butler/api";
import { ensureTools, Kubectl, type ToolPaths } from "@butler/engine";
import { Helm, HelmFailed, runFolderPrefix } from "@butler/helm";
import { builtinKinds, type Kind, type KubeObject } from "@butler/resource";
import { eventually, aTestCluster, type TestCluster } from "@butler/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chartFolder, chartRelease, chartRequest, installChart, type InstallChartOptions } from "./chart-install.ts";
import { platformManifests, platformNamespace as namespace } from "./platform.ts";

const run = promisify(execFile);
const { CustomResourceDefinition, Deployment, Namespace, Role, Secret } = builtinKinds;

let cluster: TestCluster;
let tools: ToolPaths<"helm" | "kubectl">;
let kubectl: Kubectl;

beforeAll(async () => {
  tools = await ensureTools(["helm", "kubectl"]);
  cluster = await aTestCluster({ withControllerManager: true });
  kubectl = new Kubectl({ program: tools.kubectl, kubeconfig: cluster.controlPlane.kubeconfigPath });
  // A dry run creates no namespace, and reports objects in it as not found.
  for (const name of ["butler-terminals", "butler-cli", "butler-cli-admins"]) await cluster.createNamespace(name);
});
afterAll(() => cluster?.stop());

/** No pod can run here, so every role has 0 replicas. */
const withoutPods = Object.fromEntries(
  ["steward", "controller", "sniGateway", "localProvider", "server"].map((role) => [role, { replicas: 0 }]),
);

function options(further: Partial<InstallChartOptions> = {}): InstallChartOptions {
  return { helm: tools.helm, kubeconfig: cluster.controlPlane.kubeconfigPath, timeoutMs: 60_000, ...further };
}

async function install(further: Partial<InstallChartOptions> = {}): Promise<string[]> {
  const said: string[] = [];
  await installChart(options({ values: withoutPods, say: (sentence) => said.push(sentence), ...further }));
  return said;
}

async function namesOf(kind: Kind, labelSelector?: string): Promise<string[]> {
  const place = kind.scope === "Cluster" ? {} : { namespace };
  const { items } = await cluster.client.list(kind, { ...place, labelSelector });
  return items.map(({ metadata }) => metadata.name).sort();
}

const revisions = (status: string): Promise<string[]> => namesOf(Secret, `owner=helm,status=${status}`);

const kindNames = allResources.map(({ plural, group }) => `${plural}.${group}`).sort();

/** A helm process that is killed while it waits for something that never happens. */
async function killInTheMiddle(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "butler-chart-test-"));
  try {
    const call = {
      target: { kubeconfigFile: cluster.controlPlane.kubeconfigPath },
      signal: new AbortController().signal,
    };
    const request = chartRequest(options({ values: { steward: { replicas: 1 } } }));
    const attempt = new Helm({ program: tools.helm, folder }).upgradeOrInstall(request, call);
    const ended = expect(attempt).rejects.toThrow(HelmFailed);
    await eventually(async () => (await revisions("pending-upgrade")).length === 1);
    const [runFolder = ""] = await readdir(folder);
    const { pid } = JSON.parse(await readFile(join(folder, runFolder, "child"), "utf8")) as { pid: number };
    process.kill(pid, "SIGKILL");
    await ended;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

describe("installChart", () => {
  it.each([{}, { ...withoutPods, localProvider: { enabled: true, replicas: 3 }, steward: { replicas: 2 } }])(
    "contains only objects that the API server accepts with strict field validation: %j",
    async (values) => {
      const place = `dry-run-${Object.keys(values).length}`;
      await cluster.createNamespace(place);
      const flags = [`--namespace=${place}`, "--values=-"];
      const rendering = run(tools.helm, ["template", chartRelease, chartFolder, ...flags], { maxBuffer: 64 << 20 });
      rendering.child.stdin?.end(JSON.stringify(values));
      const { stdout } = await rendering;
      const strictly = ["--server-side", "--force-conflicts", "--dry-run=server", "--validate=strict"];
      const { kubeconfigPath } = cluster.controlPlane;
      const checked = run(tools.kubectl, [`--kubeconfig=${kubeconfigPath}`, "apply", ...strictly, "--filename=-"]);
      checked.child.stdin?.end(stdout);
      const printed = (await checked).stdout.trim().split("\n");
      expect(printed.length).toBe(stdout.split("\n---\n").length);
      expect(await namesOf(CustomResourceDefinition)).toEqual([]);
    },
  );

  it("changes nothing in a dry run", async () => {
    expect(await install({ isDryRun: true })).toContain("dry run: Butler's chart can be installed");
    expect(await namesOf(CustomResourceDefinition)).toEqual([]);
    expect(await cluster.client.find(Namespace, { name: namespace })).toBeUndefined();
  });

  it("rejects unknown values and changes nothing", async () => {
    await expect(install({ values: { steward: { replicas: "two" } } })).rejects.toMatchObject({
      code: "INVALID_INPUT",
      message: expect.stringContaining("/steward/replicas"),
      hint: expect.stringContaining("Nothing was changed"),
    });
    expect(await namesOf(CustomResourceDefinition)).toEqual([]);
  });

  it("prints a remedy when the cluster is unreachable", async () => {
    const folder = await mkdtemp(join(tmpdir(), "butler-chart-test-"));
    try {
      const kubeconfig = join(folder, "kubeconfig");
      const parts = {
        clusters: [{ name: "gone", cluster: { server: "https://127.0.0.1:9" } }],
        users: [{ name: "nobody", user: {} }],
        contexts: [{ name: "gone", context: { cluster: "gone", user: "nobody" } }],
      };
      const config = { apiVersion: "v1", kind: "Config", "current-context": "gone", ...parts };
      await writeFile(kubeconfig, JSON.stringify(config));
      for (const isDryRun of [true, false]) {
        await expect(install({ kubeconfig, isDryRun })).rejects.toMatchObject({ code: "UNAVAILABLE" });
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it("adopts an installation that was made without Helm", async () => {
    await kubectl.apply(platformManifests({ image: "registry.example/old:1", replicas: 0 }), "somebody");
    await install();
    const steward = await cluster.client.get(Deployment, { namespace, name: "butler-steward" });
    expect(JSON.stringify(steward["spec"])).not.toContain("registry.example/old");
    expect(steward.metadata.labels?.["app.kubernetes.io/managed-by"]).toBe("Helm");
    expect(await namesOf(CustomResourceDefinition)).toEqual(kindNames);
    const { metadata } = await cluster.client.get(Namespace, { name: namespace });
    expect(metadata.labels).toMatchObject({ "pod-security.kubernetes.io/enforce": "restricted" });
    expect(await revisions("deployed")).toEqual([`sh.helm.release.v1.${chartRelease}.v1`]);
  });

  it("upgrades an installation: new, changed and removed objects", async () => {
    const values = { ...withoutPods, localProvider: { enabled: true, replicas: 0 } };
    await kubectl.run(["delete", "crd", "teams.butler.butlerlabs.dev"]);
    await install({ values });
    expect(await namesOf(Deployment)).toContain("butler-local-provider");
    expect(await namesOf(CustomResourceDefinition)).toEqual(kindNames);
    await install();
    expect(await namesOf(Deployment)).not.toContain("butler-local-provider");
  });

  it("reports what is not ready, keeps completed steps, and can be repeated", async () => {
    const values = { ...withoutPods, steward: { replicas: 2 } };
    const said: string[] = [];
    const attempt = install({ values, timeoutMs: 2_000, say: (sentence) => said.push(sentence) });
    await expect(attempt).rejects.toMatchObject({
      code: "TIMEOUT",
      message: expect.stringContaining("butler-steward"),
      hint: expect.stringContaining(`kubectl --namespace ${namespace} get pods`),
    });
    expect(said).toContain("waiting for butler-steward");
    expect(await namesOf(Role)).toContain("butler-steward");
    await install();
    expect((await revisions("deployed")).length).toBe(1);
  });

  it("stops when it is aborted, without blocking the next installation", async () => {
    const stopping = new AbortController();
    const values = { ...withoutPods, steward: { replicas: 1 } };
    const attempt = install({ values, signal: stopping.signal });
    const ended = expect(attempt).rejects.toThrow("enough");
    await eventually(async () => (await revisions("pending-upgrade")).length === 1);
    stopping.abort(new Error("enough"));
    await ended;
    expect(await revisions("pending-upgrade")).toEqual([]);
    await install();
  });

  it("waits for a concurrent installation, and continues after one that was killed", async () => {
    await killInTheMiddle();
    await expect(install()).rejects.toMatchObject({ code: "CONFLICT" });
    const said = await install({ leftoverAfterMs: 0 });
    expect(said).toContain("resuming an earlier installation that was interrupted");
    expect(await revisions("pending-upgrade")).toEqual([]);
  });

  it("leaves no values files behind", async () => {
    await install({ isDryRun: true });
    // Other tests run helm at the same time; the name identifies the owner of a directory.
    const own = `${runFolderPrefix}${process.pid}-`;
    expect((await readdir(tmpdir())).filter((name) => name.startsWith(own))).toEqual([]);
  });

  it("is uninstalled by helm, except for CRDs and namespace", async () => {
    const { kubeconfigPath } = cluster.controlPlane;
    await run(tools.helm, ["uninstall", chartRelease, `--namespace=${namespace}`, `--kubeconfig=${kubeconfigPath}`]);
    await eventually(async () => (await namesOf(Deployment)).length === 0);
    expect(await namesOf(CustomResourceDefinition)).toEqual(kindNames);
    const kept = await cluster.client.get(Namespace, { name: namespace });
    expect((kept as KubeObject).metadata.deletionTimestamp).toBeUndefined();
    await install();
    expect(await namesOf(Deployment)).toEqual([
      "butler-controller",
      "butler-server",
      "butler-sni-gateway",
      "butler-steward",
    ]);
  });
});
