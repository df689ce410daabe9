import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { ensureTools } from "@butler/engine";
import { builtinKinds } from "@butler/resource";
import { startTestCluster, type TestCluster } from "@butler/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { deployedRevision, newestRevision } from "./release.ts";
import { findReleases } from "./release-store.ts";

const execute = promisify(execFile);
const namespace = "shop";
let cluster: TestCluster;
let folder: string;
let program: string;

async function helm(...args: string[]): Promise<string> {
  const places = ["CACHE", "CONFIG", "DATA"].map((kind) => [`HELM_${kind}_HOME`, join(folder, kind)]);
  const env = { PATH: process.env["PATH"], HOME: folder, ...(Object.fromEntries(places) as Record<string, string>) };
  const { kubeconfigPath } = cluster.controlPlane;
  return (await execute(program, [...args, "-n", namespace, "--kubeconfig", kubeconfigPath], { env })).stdout;
}

async function writeChart(version: string): Promise<string> {
  const chart = join(folder, `web-${version}`);
  await mkdir(join(chart, "templates"), { recursive: true });
  await writeFile(join(chart, "Chart.yaml"), `apiVersion: v2\nname: web\nversion: ${version}\nappVersion: "7"\n`);
  await writeFile(join(chart, "values.yaml"), "greeting: hello\nport: 80\n");
  const configMap = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Release.Name }}\ndata:\n";
  await writeFile(join(chart, "templates", "config.yaml"), `${configMap}  greeting: {{ .Values.greeting | quote }}\n`);
  return chart;
}

describe("releases that the real helm has made", () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "butler-helm-"));
    program = (await ensureTools(["helm"])).helm;
    cluster = await startTestCluster({ name: "helm-releases" });
    await cluster.createNamespace(namespace);
    await helm("install", "web", await writeChart("1.0.0"), "--set", "greeting=hi");
    await helm("upgrade", "web", await writeChart("1.1.0"), "--set", "greeting=moin,port=81");
    await helm("install", "other", await writeChart("1.0.0"));
  });

  afterAll(async () => {
    await cluster?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it("are found with the history that helm tells", async () => {
    const { releases, unreadable } = await findReleases(cluster.client, { namespace, name: "web" });
    expect(unreadable).toEqual([]);
    interface Told {
      readonly revision: number;
      readonly status: string;
      readonly chart: string;
      readonly app_version: string;
      readonly description: string;
    }
    const told = JSON.parse(await helm("history", "web", "-o", "json")) as Told[];
    const ours = releases.map(({ revision, status, chart, description }) => ({
      revision,
      status,
      chart: `${chart.name}-${chart.version}`,
      app_version: chart.appVersion,
      description,
    }));
    expect(told).toMatchObject(ours);
    expect(ours).toHaveLength(2);
    expect(deployedRevision(releases)?.revision).toBe(2);
  });

  it("have the values and the manifest that helm gives", async () => {
    const newest = newestRevision((await findReleases(cluster.client, { namespace, name: "web" })).releases);
    expect(newest?.values).toEqual(JSON.parse(await helm("get", "values", "web", "-o", "json")));
    expect(newest?.manifest.trim()).toBe((await helm("get", "manifest", "web")).trim());
  });

  it("are found over all namespaces, and one that is damaged hides no other", async () => {
    const damaged = {
      apiVersion: "v1",
      kind: "Secret",
      type: "helm.sh/release.v1",
      metadata: { name: "sh.helm.release.v1.broken.v1", namespace, labels: { owner: "helm", name: "broken" } },
      data: { release: Buffer.from("nonsense").toString("base64") },
    };
    await cluster.client.create(builtinKinds.Secret, damaged);
    const { releases, unreadable } = await findReleases(cluster.client);
    expect(releases.map(({ name, revision }) => `${name} ${revision}`)).toEqual(["other 1", "web 1", "web 2"]);
    expect(unreadable.map(({ secret }) => secret)).toEqual(["sh.helm.release.v1.broken.v1"]);
  });
});
