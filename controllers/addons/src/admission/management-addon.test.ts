import { someDefinition } from "@butler/addons/testing";
import { describe, expect, it } from "vitest";
import { decideManagementAddon, decideManagementAddonDeletion, type ManagementAddonInput } from "./management-addon.ts";
import { aManagementAddon } from "./testing/objects.ts";

type Addon = ManagementAddonInput["addon"];
const valuesSchema = { type: "object", properties: { replicas: { type: "integer" } } };
const definitions = [someDefinition("loki", { valuesSchema }), someDefinition("tempo", { conflictsWith: ["jaeger"] })];
const judged = (addon: Addon, before?: Addon, addons: readonly Addon[] = []): string[] =>
  decideManagementAddon({ addon, before, addons, definitions }).map(
    ({ code, path, message }) => `${code} ${path}: ${message}`,
  );
const named = (name: string, addon: string, metadata: object = {}): Addon =>
  aManagementAddon({ addon }, { metadata: { name, ...metadata } });

describe("an add-on of the management cluster", () => {
  it.each<[string, Addon, readonly Addon[], string?]>([
    ["that is new", named("x", "loki"), []],
    ["that the catalog does not have yet", named("x", "velero"), []],
    [
      "a second time",
      named("x", "loki"),
      [named("logs", "loki")],
      "DUPLICATE spec.addon: loki is already installed by ManagementAddon",
    ],
    [
      "in the place of one that goes",
      named("x", "loki"),
      [named("y", "loki", { deletionTimestamp: "2026-01-01T00:00:00Z" })],
    ],
    [
      "beside one that rules it out",
      named("x", "jaeger"),
      [named("y", "tempo")],
      "NOT_ALLOWED spec.addon: jaeger conflicts with add-on tempo",
    ],
    [
      "that rules one out",
      named("x", "tempo"),
      [named("y", "jaeger")],
      "NOT_ALLOWED spec.addon: tempo conflicts with add-on jaeger",
    ],
    [
      "with values that do not fit",
      aManagementAddon({ addon: "loki", values: { replicas: "x" } }),
      [],
      "INVALID spec.values: invalid values",
    ],
  ])("%s", (_what, addon, addons, refusal) => {
    expect(judged(addon, undefined, addons)).toEqual(refusal === undefined ? [] : [expect.stringContaining(refusal)]);
  });

  it("cannot become another add-on, and rolls back only to an existing revision", () => {
    const history = [{ revision: 4, version: "1", status: "deployed" }];
    const before = aManagementAddon({ addon: "loki" }, { status: { history } });
    expect(judged(aManagementAddon({ addon: "tempo" }), before)).toEqual([
      "IMMUTABLE spec.addon: is loki and cannot be changed; create another ManagementAddon instead",
    ]);
    expect(judged(aManagementAddon({ addon: "loki", rollbackTo: 3 }), before)).toEqual([
      "NOT_FOUND spec.rollbackTo: revision 3 not found; available revisions: 4",
    ]);
    expect(judged(before, before)).toEqual([]);
  });

  it("that the platform relies on cannot be deleted", () => {
    const platform = someDefinition("cert-manager", { platform: true });
    expect(decideManagementAddonDeletion(named("x", "cert-manager"), platform)).toMatchObject([
      { code: "DELETION_PROTECTED" },
    ]);
    expect(decideManagementAddonDeletion(named("x", "loki"), definitions[0])).toEqual([]);
    expect(decideManagementAddonDeletion(named("x", "gone"), undefined)).toEqual([]);
  });
});
