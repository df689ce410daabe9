import { builtinKinds } from "@butler/resource";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { deployedRevision, newestRevision } from "../release.ts";
import { packChart, testChartFolder } from "../testing/pack-chart.ts";
import { ReleaseBench, withoutHook } from "../testing/release-bench.ts";

const namespace = "shop";
const run = "butler.butlerlabs.dev/run";
const { ConfigMap, Deployment, Secret, Service } = builtinKinds;
let bench: ReleaseBench;

beforeAll(async () => {
  bench = await ReleaseBench.start();
});
afterAll(() => bench?.stop());

describe("Helm", () => {
  it("installs a release with its namespace, labels and values, as its own field manager", async () => {
    const lines: string[] = [];
    const values = { ...withoutHook, greeting: "good morning to everybody", password: "hunter2" };
    const onLine = (line: string): void => void lines.push(line);
    await bench.install("web", { values, labels: { [run]: "first" } }, { onLine });
    expect(await bench.dataOf("web")).toEqual({ greeting: "good morning to everybody" });
    const deployment = await bench.cluster.client.get(Deployment, { namespace, name: "web" });
    expect(deployment.metadata.managedFields).toMatchObject([{ manager: "helm", operation: "Apply" }]);
    const { items } = await bench.cluster.client.list(Secret, { namespace, labelSelector: `owner=helm,${run}=first` });
    expect(items.map(({ metadata }) => metadata.name)).toEqual(["sh.helm.release.v1.web.v1"]);
    expect(lines.join("\n")).toContain("Created resource");
    expect(lines.join("\n")).not.toMatch(/hunter2|good morning to everybody/);
    expect(await bench.runFolders()).toEqual([]);
  });

  it("upgrades without earlier values, overriding changes by others", async () => {
    const patch = { data: { greeting: "by hand" } };
    await bench.cluster.client.patch(
      ConfigMap,
      { namespace, name: "web" },
      { type: "merge", patch, fieldManager: "me" },
    );
    await bench.install("web", { labels: { [run]: "second" } });
    expect(await bench.dataOf("web")).toEqual({ greeting: "hello" });
    expect(await bench.cluster.client.find(Secret, { namespace, name: "web" })).toBeUndefined();
    expect(await bench.states("web")).toEqual(["superseded", "deployed"]);
    expect(deployedRevision(await bench.history("web"))?.values).toEqual(withoutHook);
  });

  it("rejects values that violate the chart's schema, naming them without quoting", async () => {
    const values = { replicas: "two", password: "HUNTER2!" };
    const error: unknown = await bench.install("web", { values }).catch((caught: unknown) => caught);
    expect(error).toMatchObject({
      name: "HelmFailed",
      reason: "SchemaViolated",
      isRetryable: false,
      message: expect.stringContaining("/password"),
      hint: expect.stringContaining("Nothing was changed"),
    });
    expect(String(error)).not.toContain("HUNTER2");
    expect(await bench.states("web")).toEqual(["superseded", "deployed"]);
  });

  it("reports what the API server rejects, and rolls back", async () => {
    const chart = testChartFolder("breaks-halfway");
    await bench.install("half", { chart, values: { breaks: false } });
    await expect(bench.install("half", { chart, values: { breaks: true } })).rejects.toMatchObject({
      reason: "Refused",
      message: expect.stringContaining("spec.ports[0].port"),
    });
    expect(await bench.dataOf("half-taken")).toEqual({ breaks: "true" });
    expect(await bench.states("half")).toEqual(["deployed", "failed"]);
    const labels = { [run]: "third" };
    await bench.helm.rollback({ release: "half", namespace, revision: 1, timeoutMs: 60_000, labels }, bench.call());
    expect(await bench.dataOf("half-taken")).toEqual({ breaks: "false" });
    const newest = newestRevision(await bench.history("half"));
    expect(newest).toMatchObject({ revision: 3, status: "deployed", description: `Rollback to 1 (${run}=third)` });
  });

  it("keeps the objects of a first attempt, and continues from there", async () => {
    const chart = testChartFolder("breaks-halfway");
    await expect(bench.install("first", { chart, values: {} })).rejects.toMatchObject({ reason: "Refused" });
    expect(await bench.states("first")).toEqual(["failed"]);
    await bench.install("first", { chart, values: { breaks: false } });
    expect(await bench.cluster.client.find(Service, { namespace, name: "first-refused" })).toBeDefined();
  });

  it("reports a missing revision", async () => {
    const attempt = bench.helm.rollback({ release: "web", namespace, revision: 77, timeoutMs: 1_000 }, bench.call());
    await expect(attempt).rejects.toMatchObject({ reason: "RevisionMissing" });
  });

  it("leaves objects of others alone", async () => {
    const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "mine", namespace }, data: { a: "b" } };
    await bench.cluster.client.create(ConfigMap, object);
    await expect(bench.install("mine")).rejects.toMatchObject({
      reason: "OwnedByAnother",
      message: expect.stringContaining('ConfigMap "mine"'),
    });
    expect(await bench.dataOf("mine")).toEqual({ a: "b" });
    await bench.install("mine", { takeOwnership: true });
    expect(await bench.dataOf("mine")).toMatchObject({ greeting: "hello" });
  });

  it("installs CRDs before their objects, and subcharts", async () => {
    await bench.install("kinds", {
      chart: await packChart("crd-and-cr", { folder: bench.folder }),
      values: { words: ["a", "b"] },
    });
    await bench.install("parts", {
      chart: await packChart("umbrella", { folder: bench.folder }),
      values: { greeter: { greeting: "from above" } },
    });
    expect(await bench.dataOf("parts-greeter")).toEqual({ greeting: "from above" });
    expect((await bench.history("kinds"))[0]?.manifest).toContain("kind: Greeting");
  });

  it("waits for hooks up to a limit, and for workloads only with waitUntilReady", async () => {
    const chart = testChartFolder("never-ready");
    await bench.install("never", { chart, values: {} });
    const waiting = bench.install("never", { chart, values: {}, waitUntilReady: true, timeoutMs: 1_000 });
    await expect(waiting).rejects.toMatchObject({
      reason: "TimedOut",
      message: expect.stringContaining("Deployment/shop/never"),
    });
    await expect(bench.install("hook", { values: {}, timeoutMs: 1_000 })).rejects.toMatchObject({
      reason: "HookFailed",
      message: expect.stringContaining("Job/shop/hook-greeting"),
    });
  });

  it("changes nothing in a dry run", async () => {
    await bench.install("dry", { namespace, isDryRun: true });
    expect(await bench.states("dry")).toEqual([]);
  });

  it("renders the manifest of a release", async () => {
    const rendered = await bench.helm.template({ ...bench.request("web"), kubeVersion: "1.36.0" });
    expect(rendered.trim()).toBe(deployedRevision(await bench.history("web"))?.manifest.trim());
    const values = { hook: { enabled: true, fails: "one" } };
    await expect(bench.helm.template({ ...bench.request("web"), values })).rejects.toMatchObject({
      reason: "SchemaViolated",
    });
  });

  it("works on ten releases at once", async () => {
    const names = Array.from({ length: 10 }, (_none, at) => `many-${at}`);
    await Promise.all(
      names.map((name) => bench.install(name, { values: { ...withoutHook, greeting: `hello ${name}` } })),
    );
    for (const name of names) expect(await bench.dataOf(name)).toEqual({ greeting: `hello ${name}` });
    await Promise.all(
      names.map((release) => bench.helm.uninstall({ release, namespace, timeoutMs: 60_000 }, bench.call())),
    );
    for (const name of names) expect(await bench.states(name)).toEqual([]);
    expect(await bench.runFolders()).toEqual([]);
  });

  it("uninstalls a release, and ignores a missing one", async () => {
    const release = { release: "mine", namespace, timeoutMs: 60_000 };
    await bench.helm.uninstall(release, bench.call());
    expect(await bench.states("mine")).toEqual([]);
    expect(await bench.cluster.client.find(Deployment, { namespace, name: "mine" })).toBeUndefined();
    await bench.helm.uninstall(release, bench.call());
    await bench.helm.uninstall({ ...release, namespace: "no-such-namespace" }, bench.call());
  });
});
