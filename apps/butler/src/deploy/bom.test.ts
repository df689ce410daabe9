import { describe, expect, it } from "vitest";
import { renderBom } from "./bom.ts";
import { bomFaults } from "./testing/bom-faults.ts";

const subject = { name: "butler", version: "1.0.0" };
const packages = [
  { name: "yaml", version: "2.9.1", license: "ISC", text: "" },
  { name: "@scope/name", version: "1.0.0+build", license: "(MIT OR CC0-1.0)", text: "" },
  { name: "odd", version: "0.1.0", license: "see below", text: "Do what you like." },
];
const bom = (): Record<string, unknown> => JSON.parse(renderBom(subject, packages)) as Record<string, unknown>;

describe("a bill of materials", () => {
  it("is valid, and lists every package once with its license", () => {
    const twice = JSON.parse(renderBom(subject, [...packages, ...packages])) as Record<string, unknown>;
    expect(bomFaults(twice)).toEqual([]);
    expect(twice).toEqual(bom());
    expect(twice["components"]).toMatchObject([
      { purl: "pkg:npm/%40scope/name@1.0.0%2Bbuild", licenses: [{ expression: "(MIT OR CC0-1.0)" }] },
      { purl: "pkg:npm/odd@0.1.0", licenses: [{ license: { name: "see below" } }] },
      { purl: "pkg:npm/yaml@2.9.1", licenses: [{ license: { id: "ISC" } }] },
    ]);
  });

  it("does not depend on the order of the packages", () => {
    expect(renderBom(subject, packages.toReversed())).toBe(renderBom(subject, packages));
  });

  it.each<[string, object, string]>([
    ["another format", { bomFormat: "SPDX" }, "bomFormat"],
    ["another version of the specification", { specVersion: "1.2" }, "specVersion"],
    ["no components", { components: undefined }, "components"],
    [
      "a component without a license",
      { components: [{ type: "library", name: "a", purl: "pkg:npm/a@1" }] },
      "licenses",
    ],
    ["an edge to nowhere", { dependencies: [{ ref: "pkg:npm/none@1" }] }, "which is not listed"],
  ])("is not valid with %s", (_title, change, fault) => {
    expect(bomFaults({ ...bom(), ...change }).join("; ")).toContain(fault);
  });
});
