import { someDefinition } from "@butler/addons/testing";
import { TenantAddon, TenantCluster } from "@butler/api";
import { parseObject } from "@butler/resource";
import { Command } from "commander";
import { describe, expect, it } from "vitest";
import { type AddonOptions, addonCommand, givenAddon } from "./arguments.ts";
import { buildAddon, checkAddon } from "./build-addon.ts";
import { describeDefinition } from "./catalog.ts";
import { describeAddon } from "./describe-addon.ts";
import { removalNotes } from "./disable.ts";
import type { AddonFacts } from "./facts.ts";
import { chooseAddon, requireAddon, requireDefinition } from "./find-addon.ts";
import { chooseRevision } from "./rollback.ts";
import { changeLines } from "./upgrade.ts";
import { valuesOf } from "./value-options.ts";
import { addonProgress, judgeInstalled, judgeRemoved } from "./wait-for-addon.ts";

const cluster = parseObject(TenantCluster, {
  apiVersion: TenantCluster.apiVersion,
  kind: "TenantCluster",
  metadata: { name: "blue", namespace: "payments" },
  spec: { kubernetesVersion: "v1.36.3" },
});

function addon(name: string, parts: { spec?: object; status?: object; metadata?: object } = {}): TenantAddon {
  const spec = {
    clusterRef: { name: "blue" },
    ...("helm" in (parts.spec ?? {}) ? {} : { addon: name }),
    ...parts.spec,
  };
  const metadata = { name: `blue-${name}`, namespace: "payments", uid: "1", generation: 1, ...parts.metadata };
  const { apiVersion } = TenantAddon;
  return parseObject(TenantAddon, { apiVersion, kind: "TenantAddon", metadata, spec, status: parts.status });
}

function facts(parts: Partial<AddonFacts>): AddonFacts {
  return { cluster, addons: [], definitions: [], team: undefined, providerType: "proxmox", ...parts };
}

const time = "2026-01-01T00:00:00Z";
const readyCondition = (status: string, reason = "Ready", message = "") => ({
  conditions: [{ type: "Ready", status, reason, message, lastTransitionTime: time }],
});

describe("add-on command arguments", () => {
  const namesIn = (line: string) => {
    const command = addonCommand("status", "", []);
    new Command().addCommand(command);
    const words = line === "" ? [] : line.split(" ");
    command.parseOptions(words);
    command.args = command.parseOptions(words).operands;
    return givenAddon([command]).names;
  };
  it.each<[string, { cluster: string; addon: string }]>([
    ["blue web", { cluster: "blue", addon: "web" }],
    ["--cluster blue --addon web", { cluster: "blue", addon: "web" }],
    ["--cluster blue web", { cluster: "blue", addon: "web" }],
    ["blue --addon web", { cluster: "blue", addon: "web" }],
    ["blue web --cluster blue", { cluster: "blue", addon: "web" }],
  ])("%s", (line, names) => {
    expect(namesIn(line)).toEqual(names);
  });

  it.each([
    ["", "the cluster name is required"],
    ["blue", "the add-on name is required"],
    ["blue web --cluster green", 'conflicting cluster names: "blue" and "green"'],
    ["blue web --addon proxy", 'conflicting add-on names: "web" and "proxy"'],
    ["Blue web", "invalid cluster name"],
  ])("refuses %j", (line, message) => {
    expect(() => namesIn(line)).toThrow(message);
  });

  it("has options that locate the cluster", () => {
    const names = addonCommand("x", "", []).options.map(({ long }) => long);
    const wanted: (keyof AddonOptions)[] = ["cluster", "addon", "namespace", "team"];
    for (const name of wanted) expect(names).toContain(`--${name}`);
  });
});

describe("finding an add-on", () => {
  const named = addon("web");
  const own = addon("x", { metadata: { name: "mine" }, spec: { addon: "proxy" } });

  it.each([
    ["web", named],
    ["blue-web", named],
    ["mine", own],
    ["proxy", own],
    ["nothing", undefined],
  ])("%s", (name, found) => {
    expect(chooseAddon([named, own], { cluster: "blue", name })).toBe(found);
  });

  it("reports ambiguous names and suggests similar ones", () => {
    const two = [addon("a", { spec: { addon: "proxy" } }), addon("b", { spec: { addon: "proxy" } })];
    expect(() => chooseAddon(two, { cluster: "blue", name: "proxy" })).toThrow('blue has 2 add-ons that match "proxy"');
    expect(() => requireAddon([named], cluster, "wep")).toThrow(expect.objectContaining({ hint: "Did you mean web?" }));
    expect(() => requireDefinition([someDefinition("traefik")], "traefick")).toThrow(
      expect.objectContaining({ hint: "Did you mean traefik?" }),
    );
    expect(() => requireDefinition([], "x")).toThrow(
      expect.objectContaining({ hint: expect.stringContaining("--repository") }),
    );
  });
});

describe("a new add-on", () => {
  const web = someDefinition("web", { valuesSchema: { required: ["host"], properties: { host: { type: "string" } } } });

  it("comes from the catalog or from its own chart", () => {
    expect(buildAddon(facts({ definitions: [web] }), "web", { values: {} }).spec).toEqual({
      clusterRef: { name: "blue" },
      addon: "web",
    });
    expect(buildAddon(facts({}), "demo", { values: {}, repository: "oci://ghcr.io/x" }).spec.helm).toEqual({
      repository: "oci://ghcr.io/x",
      chart: "demo",
    });
    expect(() => buildAddon(facts({ definitions: [web] }), "web", { values: {}, chart: "x" })).toThrow(
      "require --repository",
    );
  });

  it("is rejected when its values are invalid, unless the infrastructure may provide the missing ones", () => {
    const wish = addon("web");
    expect(() => checkAddon(facts({ definitions: [web] }), wish)).toThrow("values must include host");
    expect(checkAddon(facts({ definitions: [web], providerType: undefined }), wish)).toEqual([]);
    expect(checkAddon(facts({ definitions: [web] }), addon("web", { spec: { values: { host: "a" } } }))).toEqual([]);
  });

  it("merges values from files and flags, later ones win", async () => {
    const readInput = () => Promise.resolve("a: 1\nb: { c: 1, d: 1 }\n");
    const flags = { values: ["-"], set: ["b.c=2", "a=null"] };
    expect(await valuesOf(flags, { readInput }, { a: 0, e: 5 })).toEqual({ b: { c: 2, d: 1 }, e: 5 });
    await expect(valuesOf({ values: ["-"] }, { readInput: () => Promise.resolve("- a") })).rejects.toThrow(
      "must contain a mapping of names to values",
    );
    await expect(valuesOf({ values: ["-"] }, { readInput: () => Promise.resolve("a: [") })).rejects.toThrow(
      "is not valid YAML",
    );
    await expect(valuesOf({ values: ["absent.yaml"] }, { readInput })).rejects.toThrow("cannot read absent.yaml");
  });
});

describe("waiting for an add-on", () => {
  const asked = addon("web", { metadata: { generation: 2 } });
  const seen = (status: object, metadata: object = {}) =>
    addon("web", { metadata: { generation: 2, ...metadata }, status: { observedGeneration: 2, ...status } });

  it.each<[string, TenantAddon | undefined, string]>([
    ["gone", undefined, "failed"],
    ["another of the same name", seen({}, { uid: "2" }), "failed"],
    ["not observed yet", seen({ phase: "Installed", observedGeneration: 1, ...readyCondition("True") }), "waiting"],
    ["installing", seen({ phase: "Installing", message: "1 of 3" }), "waiting"],
    ["installed and ready", seen({ phase: "Installed", ...readyCondition("True") }), "done"],
    ["installed, not ready yet", seen({ phase: "Installed", ...readyCondition("False") }), "waiting"],
    ["failed", seen({ phase: "Failed", message: "no chart" }), "failed"],
    ["rolled back", seen({ phase: "Installed", ...readyCondition("False", "UpgradeFailed", "2.0 failed") }), "failed"],
    ["rolling back", seen({ phase: "RollingBack", ...readyCondition("False", "UpgradeFailed") }), "waiting"],
  ])("%s", (_, state, verdict) => {
    expect(judgeInstalled(state, asked).state).toBe(verdict);
  });

  it("ends when the add-on is removed", () => {
    expect(judgeRemoved(undefined, asked)).toEqual({ state: "done" });
    expect(judgeRemoved(seen({}), asked).state).toBe("failed");
    expect(judgeRemoved(seen({ message: "uninstalling" }, { deletionTimestamp: time }), asked)).toEqual({
      state: "waiting",
      for: "uninstalling",
    });
  });

  it("prints only changes", () => {
    const text = { paint: (_: unknown, word: string) => word, elapsedMs: 3000 };
    const [before, after] = [
      seen({ phase: "Installing", message: "1 of 3" }),
      seen({ phase: "Installing", message: "2 of 3" }),
    ];
    expect(addonProgress(undefined, before, text)).toEqual(["  3s  Installing: 1 of 3"]);
    expect(addonProgress(before, before, text)).toEqual([]);
    expect(addonProgress(before, after, text)).toEqual(["  3s  Installing: 2 of 3"]);
  });
});

describe("changing an add-on", () => {
  const revision = (number: number, status: string) => ({ revision: number, version: `1.${number}.0`, status });
  const history = [
    revision(4, "deployed"),
    revision(3, "failed"),
    revision(2, "superseded"),
    revision(1, "superseded"),
  ];

  it("rolls back to the newest revision that worked, or to a given one", () => {
    const web = addon("web", { status: { history, helmRelease: { revision: 4 } } });
    expect(chooseRevision(web, undefined).revision).toBe(2);
    expect(chooseRevision(web, 1).revision).toBe(1);
    expect(() => chooseRevision(web, 9)).toThrow("web has no revision 9");
    expect(() => chooseRevision(addon("web"), undefined)).toThrow("no earlier working revision");
  });

  it.each([
    [{ version: "2.0.0" }, ["changes from 1.0.0 to 2.0.0"]],
    [{ version: "1.0.0" }, ["is pinned to 1.0.0"]],
    [{ values: { a: 1 } }, []],
    [{ values: undefined, rollbackTo: undefined }, ["uses the new values", "is no longer rolled back to revision 3"]],
  ])("describes %j as %j", (change, lines) => {
    const web = addon("web", { spec: { values: { a: 1 }, rollbackTo: 3 }, status: { installedVersion: "1.0.0" } });
    expect(changeLines(web, change)).toEqual(lines);
  });

  it("warns about dependents, and about baseline add-ons that are reinstalled", () => {
    const network = addon("network", { metadata: { labels: { "butler.butlerlabs.dev/baseline": "true" } } });
    const others = [addon("proxy"), addon("tool", { spec: { dependsOn: [{ name: "blue-network" }] } }), addon("free")];
    const definitions = [someDefinition("proxy", { dependsOn: ["network"] })];
    const notes = removalNotes(network, facts({ addons: [network, ...others], definitions }));
    expect(notes).toEqual([
      "Other add-ons depend on network: proxy, tool.",
      "network is a baseline add-on: Butler reinstalls it unless the cluster's spec disables it.",
    ]);
    expect(removalNotes(addon("free"), facts({ addons: [network, ...others] }))).toEqual([]);
  });

  it("is described in full, without control characters", () => {
    const waiting = [{ kind: "Deployment", namespace: "web", name: "web", state: "failed", message: "bad\u001B[2J" }];
    const text = describeAddon(addon("web", { status: { resources: { total: 2, ready: 1, waiting }, history } }), {
      now: new Date(time),
    }).join("\n");
    expect(text).toContain("Deployment web/web  failed  bad[2J");
    expect(text).toContain("Ready:     1/2");
    expect(text).not.toContain("\u001B");
  });
});

describe("describeDefinition", () => {
  it("prints one value per line", () => {
    const lines = describeDefinition(someDefinition("web", { displayName: "The\nweb", category: "ingress" }));
    expect(lines.slice(0, 3)).toEqual(["Name:        web", "Title:       The web", "Category:    ingress"]);
  });
});
