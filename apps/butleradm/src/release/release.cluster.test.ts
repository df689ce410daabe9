import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { allResources, namespaces } from "@butler/api";
import { chartFolder } from "@butler/butler/chart";
import { ensureTools } from "@butler/engine";
import { findReleases, type Release } from "@butler/helm";
import { builtinKinds } from "@butler/resource";
import { aTestCluster, eventually, type TestCluster } from "@butler/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Run } from "@butler/cli-kit/testing";
import { runButleradm } from "../testing/run-butleradm.ts";

const { CustomResourceDefinition, Deployment, Namespace, Node } = builtinKinds;
const namespace = namespaces.system;

let cluster: TestCluster;
let folder: string;
let helm: string;
/** No pod can run here, so the components have no replicas. */
let withoutPods: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "butleradm-release-"));
  helm = (await ensureTools(["helm"])).helm;
  withoutPods = join(folder, "values.yaml");
  const roles = ["steward", "controller", "sniGateway", "server"].map((role) => `${role}: { replicas: 0 }`);
  await writeFile(withoutPods, `${roles.join("\n")}\nlogLevel: debug\n`);
  cluster = await aTestCluster({ withControllerManager: true });
});
afterAll(async () => {
  await cluster?.stop();
  await rm(folder, { recursive: true, force: true });
});

function run(line: string): Promise<Run> {
  return runButleradm(line, {
    kubeconfig: cluster.controlPlane.kubeconfigPath,
    environment: { BUTLER_HELM: helm, XDG_CACHE_HOME: folder },
  });
}

async function history(): Promise<readonly Release[]> {
  return (await findReleases(cluster.client, { name: "butler", namespace })).releases;
}

async function kindCount(): Promise<number> {
  return (await cluster.client.list(CustomResourceDefinition)).items.length;
}

/** Butler's chart under another version, with an object that only that version has. */
async function chartOf(version: string): Promise<string> {
  const path = join(folder, `butler-${version}`);
  await cp(chartFolder, path, { recursive: true });
  const file = join(path, "Chart.yaml");
  const text = await readFile(file, "utf8");
  await writeFile(file, text.replace(/^(version|appVersion): .*$/gm, `$1: ${version}`));
  const marker = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: butler-marker\n  namespace: butler-system\n";
  await writeFile(join(path, "templates", "marker.yaml"), marker);
  return path;
}

describe("butleradm install", () => {
  it("reports that Butler is not installed, and exits with 1", async () => {
    const { code, stderr } = await run("status");
    expect(stderr).toContain("Butler is not installed in namespace butler-system");
    expect(code).toBe(1);
  });

  it("runs preflight checks, and fails when one fails", async () => {
    const { code, stderr } = await run("install");
    expect(stderr).toContain("no nodes are ready");
    expect(stderr).toContain("preflight checks failed; nothing was changed");
    expect(code).not.toBe(0);
    expect(await kindCount()).toBe(0);
  });

  it("changes nothing in a dry run", async () => {
    const { code, stderr } = await run(`install --values ${withoutPods} --dry-run`);
    expect(stderr).toContain("Dry run: nothing was changed.");
    expect(code).toBe(0);
    expect(await kindCount()).toBe(0);
    expect(await cluster.client.find(Namespace, { name: namespace })).toBeUndefined();
  });

  it("rejects unknown chart values, and charts that are not Butler's", async () => {
    const wrong = await run(`install --values ${withoutPods} --set steward.replcas=2`);
    expect(wrong.stderr).toContain("replcas");
    expect(wrong.code).not.toBe(0);
    expect((await run(`install --chart ${folder}`)).stderr).toContain("cannot read the chart");
    expect((await run("install --values absent.yaml")).stderr).toContain("cannot read absent.yaml");
    expect(await kindCount()).toBe(0);
  });

  it("installs, and waits with --wait", async () => {
    const { code, stdout, stderr } = await run(`install --values ${withoutPods} --wait --timeout 90s`);
    expect(stderr).toContain("Butler 0.1.0 was installed in namespace butler-system");
    expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
    expect(await kindCount()).toBe(allResources.length);
    expect((await history()).map(({ status }) => status)).toEqual(["deployed"]);
    expect(await run("install")).toMatchObject({ stderr: expect.stringContaining("butleradm upgrade") as string });
  });

  it("shows the status as text and as JSON", async () => {
    const { code, stdout } = await run("status");
    expect(stdout).toMatch(/^Butler 0\.1\.0, revision 1, deployed, in butler-system; Kubernetes v1\./);
    expect(stdout).toMatch(/^butler-steward +0\/0 +v0\.1\.0/m);
    expect(stdout).toContain(`${allResources.length} of ${allResources.length}`);
    expect(code).toBe(0);
    const summary = JSON.parse((await run("status -o json")).stdout) as { healthy: boolean; kinds: { different: [] } };
    expect(summary).toMatchObject({ healthy: true, kinds: { missing: [], different: [], notServed: [] } });
  });
});

/** A node that reports to be ready, but runs nothing. */
async function addNode(): Promise<void> {
  await cluster.client.create(Node, { apiVersion: "v1", kind: "Node", metadata: { name: "idle" } });
  const status = { conditions: [{ type: "Ready", status: "True", reason: "Test", message: "" }] };
  await cluster.client.patch(Node, { name: "idle" }, { type: "merge", patch: { status }, subresource: "status" });
}

describe("butleradm upgrade", () => {
  it("rolls back when a component does not become ready", async () => {
    await addNode();
    const { code, stderr } = await run("upgrade --set steward.replicas=1 --timeout 4s");
    await cluster.client.delete(Node, { name: "idle" });
    expect(stderr).toContain("waiting for butler-steward");
    expect(stderr).toContain("rolling back to version 0.1.0, revision 1");
    expect(stderr).toContain("Rolled back to version 0.1.0");
    expect(code).not.toBe(0);
    expect((await history()).map(({ status }) => status)).toEqual(["superseded", "failed", "deployed"]);
    const steward = await cluster.client.get(Deployment, { namespace, name: "butler-steward" });
    expect(steward["spec"]).toMatchObject({ replicas: 0 });
  });

  it("upgrades to a newer version, CRDs first, and keeps the installation's values", async () => {
    await cluster.client.delete(CustomResourceDefinition, { name: "teams.butler.butlerlabs.dev" });
    const chart = await chartOf("0.2.0");
    const dry = await run(`upgrade --chart ${chart} --dry-run`);
    expect(dry).toMatchObject({ code: 0, stderr: expect.stringContaining("from version 0.1.0 to 0.2.0") as string });
    expect(await kindCount()).toBe(allResources.length - 1);
    const { code, stderr } = await run(`upgrade --chart ${chart} --timeout 90s`);
    expect(stderr).toContain(`updating ${allResources.length} CRDs`);
    expect(stderr).toContain("Butler is at version 0.2.0");
    expect(code).toBe(0);
    const newest = (await history()).at(-1);
    expect(newest).toMatchObject({ status: "deployed", chart: { version: "0.2.0" }, values: { logLevel: "debug" } });
    expect(await cluster.client.find(builtinKinds.ConfigMap, { namespace, name: "butler-marker" })).toBeDefined();
    const team = await cluster.client.get(CustomResourceDefinition, { name: "teams.butler.butlerlabs.dev" });
    // A single field manager: a second one would keep fields that a later version removes.
    const writers = (team.metadata.managedFields ?? []) as { manager?: string; operation?: string }[];
    expect(writers.filter(({ operation }) => operation === "Apply").map(({ manager }) => manager)).toEqual(["helm"]);
  });

  it("rejects a downgrade", async () => {
    const before = (await history()).length;
    const { code, stderr } = await run("upgrade");
    expect(stderr).toContain("cannot downgrade Butler from version 0.2.0 to 0.1.0");
    expect(code).not.toBe(0);
    expect((await history()).length).toBe(before);
  });

  it("reports when there is nothing to upgrade", async () => {
    expect((await run("upgrade -n elsewhere")).stderr).toContain(
      "no deployed Butler release to upgrade in namespace elsewhere",
    );
  });

  it("rejects a second installation in the cluster", async () => {
    const { stderr } = await run(`install -n elsewhere --values ${withoutPods}`);
    expect(stderr).toContain("Butler is already installed in the namespace butler-system");
  });
});

describe("butleradm doctor", () => {
  it("reports problems with remedies, and exits with 1", async () => {
    const teams = { name: "teams.butler.butlerlabs.dev" };
    await cluster.client.delete(CustomResourceDefinition, teams);
    // The API server removes the objects of a kind before the kind itself.
    await eventually(async () => (await cluster.client.find(CustomResourceDefinition, teams)) === undefined);
    const { code, stdout, stderr } = await run("doctor");
    expect(stdout).toMatch(
      /^FAULT +missing CRDs: teams\.butler\.butlerlabs\.dev\n +Update them with: butleradm upgrade$/m,
    );
    expect(stdout).toMatch(/^FAULT +Cluster API is not installed$/m);
    expect(stdout).toMatch(/^warning +butler-steward is scaled to 0 replicas$/m);
    expect(stderr).toMatch(/^butleradm: \d+ faults and \d+ warnings/m);
    expect(code).toBe(1);
    const results = JSON.parse((await run("doctor --all -o json")).stdout) as { check: string; severity: string }[];
    expect(results.find(({ check }) => check === "release")).toMatchObject({ severity: "ok" });
  });
});
