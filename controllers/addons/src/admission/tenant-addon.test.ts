import { someCluster, someDefinition, someTeam } from "@butler/addons/testing";
import { labels, type TenantAddon } from "@butler/api";
import { describe, expect, it } from "vitest";
import { decideTenantAddon, type TenantAddonInput } from "./tenant-addon.ts";
import { anAddon } from "./testing/objects.ts";

type Plain = Readonly<Record<string, unknown>>;

const argocd = { addon: "argocd" };
const chart = { helm: { repository: "oci://example.com/charts", chart: "argocd" } };
const replicas = { type: "object", properties: { replicas: { type: "integer" } } };
const definitions = [
  someDefinition("argocd", { valuesSchema: replicas, conflictsWith: ["flux"] }),
  someDefinition("flux"),
  someDefinition("metallb", { variations: [{ providers: ["aws"], unsupported: "the cloud has its own" }] }),
];

function judged(addon: TenantAddon, before?: TenantAddon, facts: Partial<TenantAddonInput["facts"]> = {}): string[] {
  const known = {
    cluster: someCluster(),
    team: undefined,
    providerType: "harvester",
    addons: [],
    definitions,
  } as const;
  const reasons = decideTenantAddon({ addon, before, facts: { ...known, ...facts } });
  return reasons.map(({ code, path, message }) => `${code} ${path}: ${message}`);
}
const limited = (resourceLimits: Plain) => ({ team: someTeam({ resourceLimits }) });

describe("an add-on", () => {
  it.each<[string, Plain, Plain, Plain | undefined, string?]>([
    ["of a team without restrictions", argocd, {}, undefined],
    ["that is allowed", argocd, { allowedAddons: ["argocd"] }, undefined],
    ["that is not allowed", argocd, { allowedAddons: ["x"] }, undefined, "spec.addon: argocd is not in the team's"],
    ["that is denied", argocd, { deniedAddons: ["argocd"] }, undefined, "spec.addon: argocd is in the team's denied"],
    [
      "that is denied under the name of its product",
      { addon: "ingress-nginx" },
      { deniedAddons: ["nginx"] },
      undefined,
      "spec.addon: nginx is in the team's denied",
    ],
    [
      "that is denied and comes as a chart",
      chart,
      { deniedAddons: ["argocd"] },
      undefined,
      "spec.helm.chart: argocd is",
    ],
    ["that was there before it was denied", { ...argocd, paused: true }, { deniedAddons: ["argocd"] }, argocd],
    [
      "that takes another's place",
      argocd,
      { deniedAddons: ["argocd"] },
      { addon: "x" },
      "spec.addon: argocd is in the team's",
    ],
    ["that the cluster is made with, without leave", { addon: "cilium" }, { allowedAddons: ["argocd"] }, undefined],
    [
      "that the cluster is made with, and denied",
      { addon: "cilium" },
      { deniedAddons: ["cilium"] },
      undefined,
      "spec.addon: cilium is in the team's",
    ],
  ])("%s", (_what, spec, resourceLimits, before, refusal) => {
    const texts = judged(anAddon(spec), before && anAddon(before), limited(resourceLimits));
    if (refusal === undefined) expect(texts).toEqual([]);
    else expect(texts.join()).toContain(refusal);
  });

  it("is unrestricted without a team, and can be deleted", () => {
    const going = anAddon(argocd, { metadata: { deletionTimestamp: "2026-01-01T00:00:00Z" } });
    expect(judged(anAddon(argocd))).toEqual([]);
    expect(judged(going, anAddon(argocd), limited({ deniedAddons: ["argocd"] }))).toEqual([]);
    expect(judged(going, anAddon({ addon: "x" }), limited({ deniedAddons: ["argocd"] }))).toHaveLength(1);
  });

  it("cannot move to another cluster, and a baseline add-on cannot become another add-on", () => {
    const baseline = { metadata: { labels: { [labels.baseline]: "true" } } };
    expect(judged(anAddon({ ...argocd, clusterRef: { name: "other" } }), anAddon(argocd))).toEqual([
      expect.stringContaining("IMMUTABLE spec.clusterRef.name: is shop"),
    ]);
    expect(judged(anAddon(chart), anAddon(argocd))).toEqual([]);
    expect(judged(anAddon(chart, baseline), anAddon(argocd, baseline))).toEqual([
      "IMMUTABLE spec.addon: is argocd and cannot be changed: it is part of the baseline of cluster shop",
    ]);
  });

  it.each<[string, Plain, Plain, string?]>([
    ["that the catalog does not have yet", { addon: "kyverno" }, {}],
    ["for a cluster that is not there yet", { ...argocd, values: { replicas: "x" } }, { cluster: undefined }],
    [
      "with a password in the address of its repository",
      { helm: { repository: "https://ada:secret@charts.example.com", chart: "x" } },
      {},
      "INVALID spec.helm.repository: must not contain a username or password",
    ],
    [
      "that cannot be used on the infrastructure",
      { addon: "metallb" },
      { providerType: "aws" },
      "UNSUPPORTED spec.addon: metallb cannot be used on aws: the cloud has its own",
    ],
    [
      "with values that do not fit",
      { ...argocd, values: { replicas: "many" } },
      {},
      "INVALID spec.values: invalid values",
    ],
    ["with values that fit", { ...argocd, values: { replicas: 2 } }, {}],
    [
      "beside one that rules it out",
      argocd,
      { addons: [anAddon({ addon: "flux" }, { metadata: { name: "shop-flux" } })] },
      "NOT_ALLOWED spec: argocd conflicts with shop-flux",
    ],
    [
      "beside one that rules it out and goes",
      argocd,
      {
        addons: [
          anAddon({ addon: "flux" }, { metadata: { name: "shop-flux", deletionTimestamp: "2026-01-01T00:00:00Z" } }),
        ],
      },
    ],
    [
      "a second time",
      argocd,
      { addons: [anAddon(argocd, { metadata: { name: "shop-argocd" } })] },
      "NOT_ALLOWED spec: argocd uses the same Helm release argocd/argocd as shop-argocd",
    ],
    [
      "that waits for one that waits for it",
      { ...argocd, dependsOn: [{ name: "shop-y" }] },
      { addons: [anAddon({ addon: "kyverno", dependsOn: [{ name: "shop-x" }] }, { metadata: { name: "shop-y" } })] },
      "INVALID spec.dependsOn: is part of a dependency cycle: shop-x → shop-y → shop-x",
    ],
    ["that waits for one that is still to come", { ...argocd, dependsOn: [{ name: "shop-later" }] }, {}],
  ])("%s", (_what, spec, facts, refusal) => {
    const creationTimestamp = "2026-01-01T00:00:00Z";
    const texts = judged(anAddon(spec, { metadata: { creationTimestamp } }), undefined, facts);
    expect(texts).toEqual(refusal === undefined ? [] : [expect.stringContaining(refusal)]);
  });

  it("of the baseline has the version of the cluster's spec", () => {
    const baseline = { metadata: { labels: { [labels.baseline]: "true" } } };
    const version = (text: string) => anAddon({ addon: "cilium", version: text }, baseline);
    const cluster = someCluster({ addons: { cni: { version: "1.18.2" } } });
    expect(judged(version("1.19.0"), version("1.18.2"), { cluster })).toEqual([
      expect.stringContaining(
        "NOT_ALLOWED spec.version: is set to 1.18.2 by spec.addons.cni.version of TenantCluster shop",
      ),
    ]);
    expect(judged(version("1.18.2"), version("1.17.0"), { cluster })).toEqual([]);
    expect(judged(version("1.19.0"), version("1.18.2"))).toEqual([]);
  });

  it("rolls back only to an existing revision", () => {
    const history = [3, 2].map((revision) => ({ revision, version: "1", status: "superseded" }));
    const before = anAddon(argocd, { status: { history } });
    expect(judged(anAddon({ ...argocd, rollbackTo: 2 }), before)).toEqual([]);
    expect(judged(anAddon({ ...argocd, rollbackTo: 1 }), before)).toEqual([
      "NOT_FOUND spec.rollbackTo: revision 1 not found; available revisions: 3, 2",
    ]);
    expect(judged(anAddon({ ...argocd, rollbackTo: 1 }), anAddon(argocd))).toEqual([]);
  });

  it("that violates a newer rule may be changed in other fields", () => {
    const before = anAddon({ ...argocd, values: { replicas: "many" } });
    expect(judged(anAddon({ ...argocd, values: { replicas: "many" }, paused: true }), before)).toEqual([]);
  });
});

describe("the timeout of an add-on", () => {
  const tooLong = "INVALID spec.timeout: is 24h; the longest timeout is 1h";

  it.each<[string, Plain, Plain | undefined, string[]]>([
    ["an hour", { ...argocd, timeout: "1h" }, undefined, []],
    ["a day", { ...argocd, timeout: "24h" }, undefined, [tooLong]],
    ["a day, instead of an hour", { ...argocd, timeout: "24h" }, { ...argocd, timeout: "1h" }, [tooLong]],
    [
      "a day, as before there was a limit",
      { ...argocd, timeout: "24h", paused: true },
      { ...argocd, timeout: "24h" },
      [],
    ],
  ])("hole 5: %s", (_what, spec, before, reasons) => {
    expect(judged(anAddon(spec), before && anAddon(before))).toEqual(reasons);
  });
});
