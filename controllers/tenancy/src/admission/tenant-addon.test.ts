import { TenantAddon } from "@butler/api";
import { parseObject } from "@butler/resource";
import { describe, expect, it } from "vitest";
import { decideTenantAddon } from "./tenant-addon.ts";
import { aTeam } from "./testing/objects.ts";

const anAddon = (spec: object, metadata: object = {}): TenantAddon =>
  parseObject(TenantAddon, {
    apiVersion: TenantAddon.apiVersion,
    kind: TenantAddon.kind,
    metadata: { name: "shop-x", namespace: "payments", ...metadata },
    spec: { clusterRef: { name: "shop" }, ...spec },
  });
const argocd = { addon: "argocd" };
const chart = { helm: { repository: "oci://example.com/charts", chart: "argocd" } };

describe("an add-on", () => {
  it.each<[string, object, object, object | undefined, string?]>([
    ["of a team without restrictions", argocd, {}, undefined],
    ["that is allowed", argocd, { allowedAddons: ["argocd"] }, undefined],
    ["that is not allowed", argocd, { allowedAddons: ["x"] }, undefined, "spec.addon: argocd is not among the team's"],
    [
      "that is denied",
      argocd,
      { deniedAddons: ["argocd"] },
      undefined,
      "spec.addon: argocd is among the team's denied",
    ],
    [
      "that is denied and comes as a chart",
      chart,
      { deniedAddons: ["argocd"] },
      undefined,
      "spec.helm.chart: argocd is",
    ],
    ["that was there before it was denied", argocd, { deniedAddons: ["argocd"] }, argocd],
    ["that takes another's place", argocd, { deniedAddons: ["argocd"] }, { addon: "x" }, "spec.addon: argocd is among"],
  ])("%s", (_what, spec, resourceLimits, before, refusal) => {
    const team = aTeam({ spec: { resourceLimits } });
    const reasons = decideTenantAddon({ addon: anAddon(spec), before: before && anAddon(before), team });
    const texts = reasons.map(({ path, message }) => `${path}: ${message}`);
    if (refusal === undefined) expect(texts).toEqual([]);
    else expect(texts.join()).toContain(refusal);
  });

  it("is free without a team, and free to go", () => {
    const going = anAddon(argocd, { deletionTimestamp: "2026-01-01T00:00:00Z" });
    const team = aTeam({ spec: { resourceLimits: { deniedAddons: ["argocd"] } } });
    expect(decideTenantAddon({ addon: anAddon(argocd), before: undefined, team: undefined })).toEqual([]);
    expect(decideTenantAddon({ addon: going, before: anAddon({ addon: "x" }), team })).toEqual([]);
  });
});
