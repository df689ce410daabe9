import { describe, expect, it } from "vitest";
import { definitionFaults, unknownNames } from "./definition-faults.ts";
import { someDefinition } from "./testing/some-objects.ts";

const chart = { repository: "https://charts.example.com", name: "web", defaultVersion: "1.0.0" };

describe("faults of an AddonDefinition", () => {
  it.each([
    { spec: { chart: { ...chart, repository: "https://me:pw@charts.example.com" } }, path: "spec.chart.repository" },
    { spec: { chart: { ...chart, defaultVersion: "latest" } }, path: "spec.chart.defaultVersion" },
    { spec: { chart: { ...chart, availableVersions: ["1.0.0", "1.x"] } }, path: "spec.chart.availableVersions[1]" },
    { spec: { kubernetesVersions: "new ones" }, path: "spec.kubernetesVersions" },
    { spec: { defaults: { releaseName: "Not_Good" } }, path: "spec.defaults" },
    { spec: { defaults: { timeout: "0s" } }, path: "spec.defaults.timeout" },
    { spec: { dependsOn: ["web"] }, path: "spec.dependsOn[0]" },
    { spec: { dependsOn: ["b", "b"] }, path: "spec.dependsOn[1]" },
    { spec: { dependsOn: ["b"], conflictsWith: ["b"] }, path: "spec.conflictsWith[0]" },
    {
      spec: {
        variations: [
          { providers: ["aws" as const], values: {} },
          { providers: ["gcp" as const, "aws" as const], values: {} },
        ],
      },
      path: "spec.variations[1].providers",
    },
    { spec: { variations: [{ providers: ["aws" as const] }] }, path: "spec.variations[0]" },
    { spec: { valuesSchema: { type: "thing" } }, path: "spec.valuesSchema" },
    {
      spec: { valuesSchema: { properties: { a: { properties: { b: { type: "integer", default: "x" } } } } } },
      path: "spec.valuesSchema.properties.a.properties.b.default",
    },
    {
      spec: { defaults: { values: { a: "x" } }, valuesSchema: { properties: { a: { type: "integer" } } } },
      path: "spec.defaults.values",
    },
    {
      spec: {
        variations: [{ providers: ["aws" as const], values: { a: "x" } }],
        valuesSchema: { properties: { a: { type: "integer" } } },
      },
      path: "spec.variations[0].values",
    },
  ])("$path: $spec", ({ spec, path }) => {
    expect(definitionFaults(someDefinition("web", spec), []).map((fault) => fault.path)).toEqual([path]);
  });

  it("list the path of a cycle in the catalog", () => {
    const others = [someDefinition("b", { dependsOn: ["c"] }), someDefinition("c", { dependsOn: ["web"] })];
    expect(definitionFaults(someDefinition("web", { dependsOn: ["b"] }), others)).toEqual([
      { path: "spec.dependsOn", message: "creates a dependency cycle: web → b → c → web" },
    ]);
    expect(definitionFaults(someDefinition("x", { dependsOn: ["b"] }), others)).toEqual([]);
  });

  it("ignore required values that users still have to set", () => {
    const valuesSchema = { type: "object", required: ["bucket"], properties: { bucket: { type: "string" } } };
    expect(definitionFaults(someDefinition("web", { valuesSchema }), [])).toEqual([]);
  });

  it("do not depend on the order of definitions; missing ones are reported separately", () => {
    const web = someDefinition("web", { dependsOn: ["later"] });
    expect(definitionFaults(web, [])).toEqual([]);
    expect(unknownNames(web, [])).toMatchObject([{ path: "spec.dependsOn[0]" }]);
    expect(unknownNames(web, [someDefinition("later")])).toEqual([]);
  });
});
