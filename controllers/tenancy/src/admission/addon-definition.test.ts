import { describe, expect, it } from "vitest";
import { decideAddonDefinition, decideAddonDefinitionDeletion } from "./addon-definition.ts";
import { aDefinition, aManagementAddon, anAddon } from "./testing/objects.ts";

type Definition = ReturnType<typeof aDefinition>;
const judged = (definition: Definition, before?: Definition, catalog: readonly Definition[] = []): string[] =>
  decideAddonDefinition({ definition, before, catalog }).map(
    ({ code, path, message }) => `${code} ${path}: ${message}`,
  );

describe("an entry of the catalogue", () => {
  it("comes in any order, also before what it depends on", () => {
    expect(judged(aDefinition("traefik", { dependsOn: ["metallb"] }))).toEqual([]);
  });

  it("is refused when it closes a circle, or when its chart cannot be named so", () => {
    const catalog = [aDefinition("metallb", { dependsOn: ["traefik"] })];
    expect(judged(aDefinition("traefik", { dependsOn: ["metallb"] }), undefined, catalog)).toEqual([
      expect.stringContaining("INVALID spec.dependsOn: makes a cycle of dependencies"),
    ]);
    const chart = { repository: "https://ada:secret@example.com", name: "x", defaultVersion: "latest" };
    expect(judged(aDefinition("x", { chart }))).toEqual([
      expect.stringContaining("INVALID spec.chart.repository: must not contain a user or password"),
      expect.stringContaining("INVALID spec.chart.defaultVersion"),
    ]);
  });

  it("is judged anew only when it changes, and never by its own earlier self", () => {
    const wrong = aDefinition("x", { kubernetesVersions: "soon" });
    expect(judged(wrong, wrong)).toEqual([]);
    expect(judged(wrong, aDefinition("x"), [aDefinition("x")])).toEqual([
      expect.stringContaining("INVALID spec.kubernetesVersions"),
    ]);
  });
});

describe("the end of an entry", () => {
  const nobody = { tenantAddons: [], managementAddons: [] };

  it("is fine when nobody uses it, whatever others are called", () => {
    const helm = { repository: "https://charts.example.com", chart: "velero" };
    const tenantAddons = [anAddon({ addon: "loki" }), anAddon({ helm })];
    expect(decideAddonDefinitionDeletion(aDefinition("velero"), { ...nobody, tenantAddons })).toEqual([]);
  });

  it("is refused with the names of who uses it, five at most", () => {
    const tenantAddons = ["a", "b", "c", "d", "e", "f"].map((name) =>
      anAddon({ addon: "velero" }, { metadata: { name: `${name}-velero` } }),
    );
    const managementAddons = [aManagementAddon({ addon: "velero" }, { metadata: { name: "backup" } })];
    const [denial] = decideAddonDefinitionDeletion(aDefinition("velero"), { tenantAddons, managementAddons });
    expect(denial).toMatchObject({
      code: "IN_USE",
      message:
        "is used by ManagementAddon backup, TenantAddon payments/a-velero, TenantAddon payments/b-velero, " +
        "TenantAddon payments/c-velero, TenantAddon payments/d-velero and 2 more; remove them first",
    });
  });
});
