import { describe, expect, it } from "vitest";
import { chartRoles } from "./chart-objects.ts";
import { helmOnChart, mergedValues, renderChart } from "./chart-rendered.ts";
import { type ChartValue, chartValues } from "./chart-values.ts";

/** The supported versions of Kubernetes. */
const versions = ["1.34.0", "1.35.0", "1.36.0"];

const values = chartValues(chartRoles());
const switches = values.filter(({ schema }) => schema["type"] === "boolean");

/** Values as a nested tree of their paths. */
function treeOf(chosen: readonly ChartValue[], give: (value: ChartValue) => unknown): object {
  return mergedValues({}, chosen, give);
}

/** Rendering is slow, so equal renderings are cached. */
const rendered = new Map<object, ReturnType<typeof renderChart>>();
function renderOnce(chosen: object): ReturnType<typeof renderChart> {
  const rendering = rendered.get(chosen) ?? renderChart({ values: chosen });
  rendered.set(chosen, rendering);
  return rendering;
}

const flipped = treeOf(switches, ({ fallback }) => fallback !== true);
const several = treeOf(
  values.filter(({ path }) => path.endsWith(".replicas") || path.endsWith(".enabled")),
  ({ path }) => (path.endsWith(".enabled") ? true : 3),
);
const nothing = {};
const settings = [
  ["its own values", nothing],
  ["every switch the other way round", flipped],
  ["everything on, several times", several],
] as const;

// Concurrently, because each waits for helm.
describe.concurrent.each(versions)("the chart for Kubernetes %s", (version) => {
  it.each(settings)("passes helm lint with %s", async (_title, chosen) => {
    const printed = await helmOnChart("lint", { values: chosen, flags: ["--strict", `--kube-version=${version}`] });
    expect(printed).toContain("1 chart(s) linted, 0 chart(s) failed");
  });

  it.each(settings)("renders the same objects as for every other version with %s", async (_title, chosen) => {
    const objects = await renderChart({ values: chosen, flags: [`--kube-version=${version}`] });
    expect(objects).toEqual(await renderOnce(chosen));
    expect(Object.keys(objects)).toContain("Deployment butler-system/butler-steward");
  });
});

describe.concurrent("an optional part of the chart", () => {
  it("is covered for each of these", () => {
    expect(switches.map(({ path }) => path)).toEqual([
      "namespace.create",
      "crds.install",
      "catalog.enabled",
      "steward.defaultDataStore.enabled",
      "sniGateway.enabled",
      "localProvider.enabled",
      "server.enabled",
      "server.terminal.enabled",
      "managementAddons.enabled",
      "networkPolicies.enabled",
    ]);
  });

  it.each(switches.map((value) => [value.path, value] as const))(
    "changes the rendered objects: %s",
    async (_path, value) => {
      const other = treeOf([value], ({ fallback }) => fallback !== true);
      expect(await renderChart({ values: other })).not.toEqual(await renderOnce(nothing));
    },
  );

  it("excludes the default DataStore, whatever its other values are", async () => {
    const defaultDataStore = {
      enabled: false,
      members: 1,
      storage: { size: "1Gi", storageClassName: "a" },
      image: "b",
    };
    const objects = await renderChart({ values: { steward: { defaultDataStore } } });
    const steward = JSON.stringify(objects["Deployment butler-system/butler-steward"]);
    expect(steward).not.toMatch(/--(provide-)?data-store/);
  });
});

describe("the chart's webhook configurations", () => {
  const kinds = ["MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"];

  it("are part of the release without webhooks, so that Helm does not change the webhooks", async () => {
    const objects = await renderOnce(nothing);
    for (const key of kinds.flatMap((kind) => [`${kind} /butler-steward`, `${kind} /butler-controller`])) {
      expect(Object.keys(objects[key] ?? expect.fail(`no ${key}`))).toEqual(["apiVersion", "kind", "metadata"]);
    }
  });
});

describe("the chart rejects", () => {
  it("an unsupported Kubernetes version", async () => {
    const attempt = helmOnChart("template", { flags: ["--kube-version=1.29.0"] });
    await expect(attempt).rejects.toThrow("chart requires kubeVersion");
  });
});
