import { someDefinition } from "@butler/addons/testing";
import { describe, expect, it } from "vitest";
import { decideAddonDefinition, decideAddonDefinitionDeletion } from "./addon-definition.ts";
import { aManagementAddon, anAddon } from "./testing/objects.ts";

type Definition = ReturnType<typeof someDefinition>;
const judged = (definition: Definition, before?: Definition, catalog: readonly Definition[] = []): string[] =>
  decideAddonDefinition({ definition, before, catalog }).map(
    ({ code, path, message }) => `${code} ${path}: ${message}`,
  );

describe("an entry of the catalog", () => {
  it("may be created before its dependencies", () => {
    expect(judged(someDefinition("traefik", { dependsOn: ["metallb"] }))).toEqual([]);
  });

  it("rejects a dependency cycle and an invalid chart name", () => {
    const catalog = [someDefinition("metallb", { dependsOn: ["traefik"] })];
    expect(judged(someDefinition("traefik", { dependsOn: ["metallb"] }), undefined, catalog)).toEqual([
      expect.stringContaining("INVALID spec.dependsOn: creates a dependency cycle"),
    ]);
    const chart = { repository: "https://ada:secret@example.com", name: "x", defaultVersion: "latest" };
    expect(judged(someDefinition("x", { chart }))).toEqual([
      expect.stringContaining("INVALID spec.chart.repository: must not contain a username or password"),
      expect.stringContaining("INVALID spec.chart.defaultVersion"),
    ]);
  });

  it("is validated only when it changes, and not against its own old version", () => {
    const wrong = someDefinition("x", { kubernetesVersions: "soon" });
    expect(judged(wrong, wrong)).toEqual([]);
    expect(judged(wrong, someDefinition("x"), [someDefinition("x")])).toEqual([
      expect.stringContaining("INVALID spec.kubernetesVersions"),
    ]);
  });
});

describe("the timeout of an entry", () => {
  it("hole 5: is at most an hour, unless it was longer before there was a limit", () => {
    const [day, hour] = ["24h", "1h"].map((timeout) => someDefinition("x", { defaults: { timeout } }));
    if (day === undefined || hour === undefined) return expect.fail();
    expect(judged(hour)).toEqual([]);
    expect(judged(day)).toEqual(["INVALID spec.defaults.timeout: is 24h; the longest timeout is 1h"]);
    expect(judged({ ...day, spec: { ...day.spec, description: "new" } }, day)).toEqual([]);
  });
});

describe("the deletion of an entry", () => {
  const nobody = { tenantAddons: [], managementAddons: [] };

  it("is allowed when no add-on uses it", () => {
    const helm = { repository: "https://charts.example.com", chart: "velero" };
    const tenantAddons = [anAddon({ addon: "loki" }), anAddon({ helm })];
    expect(decideAddonDefinitionDeletion(someDefinition("velero"), { ...nobody, tenantAddons })).toEqual([]);
  });

  it("is rejected with at most five names of the add-ons that use it", () => {
    const tenantAddons = ["a", "b", "c", "d", "e", "f"].map((name) =>
      anAddon({ addon: "velero" }, { metadata: { name: `${name}-velero` } }),
    );
    const managementAddons = [aManagementAddon({ addon: "velero" }, { metadata: { name: "backup" } })];
    const [denial] = decideAddonDefinitionDeletion(someDefinition("velero"), { tenantAddons, managementAddons });
    expect(denial).toMatchObject({
      code: "IN_USE",
      message:
        "is used by ManagementAddon backup, TenantAddon payments/a-velero, TenantAddon payments/b-velero, " +
        "TenantAddon payments/c-velero, TenantAddon payments/d-velero and 2 more; remove them first",
    });
  });
});
