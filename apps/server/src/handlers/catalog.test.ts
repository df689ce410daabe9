import { AddonDefinition } from "@butler/api";
import { updateCatalogEntry } from "@butler/contract";
import { parseObject } from "@butler/resource";
import { describe, expect, it } from "vitest";
import { planEntryChange, requireOwnEntry } from "./catalog.ts";
import { newObject } from "./writing.ts";

const spec = {
  displayName: "Velero",
  description: "Backs up clusters.",
  category: "backup",
  chart: {
    repository: "https://charts.example.com",
    name: "velero",
    defaultVersion: "8.1.0",
    availableVersions: ["8"],
  },
  platform: true,
};
const anEntry = (labels: Record<string, string> = {}) =>
  parseObject(AddonDefinition, newObject(AddonDefinition, { name: "velero", labels }, { spec }));

describe("changes to the catalog", () => {
  it("leave absent fields unchanged, including flags", () => {
    const change = updateCatalogEntry.body?.parse({ description: "Brings clusters back." }) ?? {};
    expect(planEntryChange(anEntry(), change)).toEqual({ spec: { description: "Brings clusters back." } });
  });

  it("replace a field in the request", () => {
    const chart = { repository: "oci://registry.example.com/charts", name: "velero", defaultVersion: "9.0.0" };
    expect(planEntryChange(anEntry(), { chart, resourceVersion: "7" })).toEqual({
      spec: { chart: { ...chart, availableVersions: null } },
    });
  });

  it("are rejected for entries shipped with Butler", () => {
    expect(() => requireOwnEntry(anEntry())).not.toThrow();
    expect(() => requireOwnEntry(anEntry({ "butler.butlerlabs.dev/source": "builtin" }))).toThrow(
      "is shipped with Butler",
    );
  });
});
