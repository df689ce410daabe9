import { annotations, ButlerConfig, type ProviderType, providerTypes, type TenantCluster } from "@butler/api";
import { parseObject } from "@butler/resource";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { someCluster, someDefinition } from "../testing/some-objects.ts";
import { baselineAddons, type BaselineInput } from "./baseline-addons.ts";

function aCluster(spec: object = {}, presets: Readonly<Record<string, string>> = {}): TenantCluster {
  const notes = Object.entries(presets).map(([value, from]) => [`spec.addons[${value}]`, { value, from }]);
  const origins = { [annotations.valueOrigins]: JSON.stringify(Object.fromEntries(notes)) };
  return someCluster(spec, { annotations: origins });
}

const catalog = [
  someDefinition("traefik", { dependsOn: ["metallb"] }),
  someDefinition("metallb", { dependsOn: ["cilium"] }),
  ...["cilium", "longhorn", "cert-manager", "ingress-nginx", "flux", "argocd", "velero", "linstor"].map((name) =>
    someDefinition(name),
  ),
];
const config = parseObject(ButlerConfig, {
  apiVersion: ButlerConfig.apiVersion,
  kind: ButlerConfig.kind,
  metadata: { name: "butler" },
  spec: { defaultAddonVersions: { cilium: "1.18.2", fluxcd: "2.15.0", longhorn: "" } },
});

const baseline = (input: Partial<BaselineInput> = {}) =>
  baselineAddons({ cluster: aCluster(), providerType: "harvester", config: undefined, definitions: catalog, ...input });
const namesOf = (input: Partial<BaselineInput>): string[] => baseline(input).map(({ name }) => name);

describe("the baseline add-ons of a cluster", () => {
  const onPremises = ["cilium", "metallb", "longhorn", "cert-manager", "traefik"];
  const cloud = ["cilium", "longhorn", "cert-manager"];
  it.each<[ProviderType | undefined, string[]]>([
    ["harvester", onPremises],
    ["nutanix", onPremises],
    ["proxmox", onPremises],
    ["aws", cloud],
    ["gcp", cloud],
    ["azure", cloud],
    ["local", []],
    [undefined, []],
  ])("on %s", (providerType, names) => {
    expect(namesOf({ providerType })).toEqual(names);
    expect(baseline({ providerType }).every(({ isImplied, slot }) => isImplied && slot !== undefined)).toBe(true);
  });

  it.each<[string, object, string[]]>([
    ["without ingress", { ingress: { enabled: false } }, ["cilium", "metallb", "longhorn", "cert-manager"]],
    [
      "without certificates",
      { certManager: { enabled: false, version: "" } },
      ["cilium", "metallb", "longhorn", "traefik"],
    ],
    [
      "with other products",
      { ingress: { provider: "nginx" }, storage: { provider: "linstor", version: "1" } },
      ["cilium", "metallb", "linstor", "cert-manager", "ingress-nginx"],
    ],
    ["with GitOps", { gitops: {} }, [...onPremises, "flux"]],
    ["with Argo CD", { gitops: { provider: "argocd" } }, [...onPremises, "argocd"]],
  ])("with %s requested", (_what, addons, names) => {
    expect(namesOf({ cluster: aCluster({ addons }) })).toEqual(names);
  });

  it("are only the requested ones where machines provide the rest", () => {
    const cluster = aCluster({ addons: { ingress: {}, cni: { version: "1.18.2" } } });
    expect(baseline({ cluster, providerType: "local" })).toMatchObject([
      {
        name: "cilium",
        version: "1.18.2",
        slotVersion: "1.18.2",
        isImplied: false,
        reason: "spec.addons.cni requests it",
      },
      { name: "traefik", isImplied: false, dependsOn: ["cilium"] },
    ]);
  });

  it("have Flux where the cluster is managed by GitOps", () => {
    const cluster = aCluster({ managementPolicy: { mode: "GitOps" } });
    expect(baseline({ cluster, providerType: "local" })).toMatchObject([{ name: "flux", isImplied: true }]);
  });

  it("omit unsupported add-ons, unless the spec requests them", () => {
    const definitions = [someDefinition("longhorn", { variations: [{ providers: ["aws"], unsupported: "use EBS" }] })];
    expect(namesOf({ providerType: "aws", definitions })).not.toContain("longhorn");
    const cluster = aCluster({ addons: { storage: { provider: "longhorn", version: "1" } } });
    expect(namesOf({ providerType: "aws", definitions, cluster })).toContain("longhorn");
  });

  it("are listed without a version when the catalog lacks them", () => {
    expect(baseline({ definitions: [] }).map(({ name, version, definition }) => [name, version, definition])).toEqual(
      onPremises.map((name) => [name, undefined, undefined]),
    );
  });
});

describe("the version of an add-on", () => {
  it("is the cluster's, else the platform's, else the catalog's", () => {
    const versionOf = (addons: object, name: string) =>
      baseline({ cluster: aCluster({ addons }), config }).find((each) => each.name === name);
    expect(versionOf({ cni: { version: "1.19.0" } }, "cilium")).toMatchObject({
      version: "1.19.0",
      slotVersion: "1.19.0",
    });
    expect(versionOf({}, "cilium")).toMatchObject({ version: "1.18.2", slotVersion: undefined });
    expect(versionOf({ gitops: {} }, "flux")).toMatchObject({ version: "2.15.0" });
    expect(versionOf({}, "longhorn")).toMatchObject({ version: "1.0.0" });
    expect(versionOf({}, "metallb")).toMatchObject({ version: "1.0.0" });
  });
});

describe("presets of team and environment", () => {
  it("add add-ons without a slot in the spec", () => {
    const cluster = aCluster({}, { velero: "team", kyverno: "environment" });
    const found = baseline({ cluster, providerType: "local" });
    expect(found).toMatchObject([
      { name: "velero", slot: undefined, version: "1.0.0", isImplied: false },
      { name: "kyverno", definition: undefined, version: undefined },
    ]);
    expect(found[1]?.reason).toBe("it is a default add-on of the cluster's environment");
  });

  it.each<[string, object, Record<string, string>, string[]]>([
    ["fill a slot that is empty", {}, { nginx: "team" }, ["ingress-nginx"]],
    ["fill it by the catalog's name", {}, { "ingress-nginx": "team" }, ["ingress-nginx"]],
    ["yield to the cluster's word", { ingress: { provider: "traefik" } }, { nginx: "team" }, ["traefik"]],
    ["yield to the cluster's no", { ingress: { enabled: false } }, { nginx: "team" }, []],
    ["count once for each slot", {}, { nginx: "team", traefik: "environment" }, ["ingress-nginx"]],
  ])("%s", (_what, addons, presets, names) => {
    expect(namesOf({ cluster: aCluster({ addons }, presets), providerType: "local" })).toEqual(names);
  });

  it("ignore unrelated content of the annotation", () => {
    const cluster = aCluster();
    for (const text of ["", "[]", "null", '{"spec.addons[x]":1}', '{"spec.addons[x]":{"from":"cluster"}}', "{"]) {
      const metadata = { ...cluster.metadata, annotations: { [annotations.valueOrigins]: text } };
      expect(namesOf({ cluster: { ...cluster, metadata }, providerType: "local" })).toEqual([]);
    }
  });
});

describe("whatever the catalog says", () => {
  const names = ["cilium", "metallb", "longhorn", "cert-manager", "traefik", "velero", "kyverno"];
  /** Edges lead only to names that come earlier in some order, so that there is no cycle. */
  const acyclic = fc
    .tuple(fc.shuffledSubarray(names, { minLength: names.length }), fc.array(fc.tuple(fc.nat(6), fc.nat(6))))
    .map(([order, edges]) => {
      const below = (name: string): string[] =>
        edges.flatMap(([a, b]) => (order[Math.max(a, b)] === name && a !== b ? [order[Math.min(a, b)] ?? ""] : []));
      return order.map((name) => someDefinition(name, { dependsOn: below(name) }));
    });
  const cluster = aCluster({}, { velero: "team", kyverno: "team" });

  it("each add-on comes once, after its dependencies, and after the pod network unless the network needs it", () => {
    fc.assert(
      fc.property(acyclic, fc.constantFrom(...providerTypes), (definitions, providerType) => {
        const found = baselineAddons({ cluster, providerType, config: undefined, definitions });
        const at = (name: string): number => found.findIndex((each) => each.name === name);
        expect(new Set(found.map(({ name }) => name)).size).toBe(found.length);
        for (const [place, { dependsOn }] of found.entries()) {
          for (const name of dependsOn) {
            expect(at(name)).toBeGreaterThanOrEqual(0);
            expect(at(name)).toBeLessThan(place);
          }
        }
        const network = at("cilium");
        if (network < 0) return;
        for (const { dependsOn } of found.slice(network + 1)) expect(dependsOn).toContain("cilium");
      }),
    );
  });

  it("a cycle drops no add-on", () => {
    const definitions = [
      someDefinition("metallb", { dependsOn: ["traefik"] }),
      someDefinition("traefik", { dependsOn: ["metallb"] }),
    ];
    expect(namesOf({ definitions }).toSorted()).toEqual(["cert-manager", "cilium", "longhorn", "metallb", "traefik"]);
  });
});
