import { builtinKinds } from "@butler/resource";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { deployedRevision, newestRevision } from "./release.ts";
import { findReleases } from "./release-store.ts";
import { HelmHarness } from "./testing/helm-harness.ts";

const namespace = "shop";
let harness: HelmHarness;

function writeChart(version: string): Promise<string> {
  const configMap = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Release.Name }}\ndata:\n";
  return harness.writeChart(`web-${version}`, {
    "Chart.yaml": `apiVersion: v2\nname: web\nversion: ${version}\nappVersion: "7"\n`,
    "values.yaml": "greeting: hello\nport: 80\n",
    "templates/config.yaml": `${configMap}  greeting: {{ .Values.greeting | quote }}\n`,
  });
}

describe("releases created by the real helm", () => {
  beforeAll(async () => {
    harness = await HelmHarness.open("helm-releases", namespace);
    await harness.helm("install", "web", await writeChart("1.0.0"), "--set", "greeting=hi");
    await harness.helm("upgrade", "web", await writeChart("1.1.0"), "--set", "greeting=moin,port=81");
    await harness.helm("install", "other", await writeChart("1.0.0"));
  });

  afterAll(() => harness?.close());

  it("are found with the history that helm reports", async () => {
    const { releases, unreadable } = await findReleases(harness.cluster.client, { namespace, name: "web" });
    expect(unreadable).toEqual([]);
    interface HistoryEntry {
      readonly revision: number;
      readonly status: string;
      readonly chart: string;
      readonly app_version: string;
      readonly description: string;
    }
    const history = JSON.parse(await harness.helm("history", "web", "-o", "json")) as HistoryEntry[];
    const ours = releases.map(({ revision, status, chart, description }) => ({
      revision,
      status,
      chart: `${chart.name}-${chart.version}`,
      app_version: chart.appVersion,
      description,
    }));
    expect(history).toMatchObject(ours);
    expect(ours).toHaveLength(2);
    expect(deployedRevision(releases)?.revision).toBe(2);
  });

  it("have the values and the manifest that helm returns", async () => {
    const newest = newestRevision((await findReleases(harness.cluster.client, { namespace, name: "web" })).releases);
    expect(newest?.values).toEqual(JSON.parse(await harness.helm("get", "values", "web", "-o", "json")));
    expect(newest?.manifest.trim()).toBe((await harness.helm("get", "manifest", "web")).trim());
  });

  it("are found in all namespaces, and a damaged one hides no other", async () => {
    const damaged = {
      apiVersion: "v1",
      kind: "Secret",
      type: "helm.sh/release.v1",
      metadata: { name: "sh.helm.release.v1.broken.v1", namespace, labels: { owner: "helm", name: "broken" } },
      data: { release: Buffer.from("nonsense").toString("base64") },
    };
    await harness.cluster.client.create(builtinKinds.Secret, damaged);
    const { releases, unreadable } = await findReleases(harness.cluster.client);
    expect(releases.map(({ name, revision }) => `${name} ${revision}`)).toEqual(["other 1", "web 1", "web 2"]);
    expect(unreadable.map(({ secret }) => secret)).toEqual(["sh.helm.release.v1.broken.v1"]);
  });
});
