import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  addonsOf,
  addonState,
  type AddonView,
  type CatalogEntry,
  compareVersions,
  earlierRevisions,
  fixedBecause,
  openUpgrade,
  versionsOf,
} from "./addon-facts.ts";
import { anAddon } from "../testing/an-addon.ts";
import type { ClusterView } from "./cluster-facts.ts";

const entry = {
  defaultVersion: "1.9.0",
  availableVersions: ["1.10.0-rc.1", "1.10.0", "1.9.0"],
} as unknown as CatalogEntry;
const inPhase = (phase: string): AddonView["status"] => ({ phase, installedVersion: "", message: "" });

describe("versions", () => {
  it.each([
    ["1.10.0", "1.9.0", 1],
    ["v1.9.0", "1.9.0", 0],
    ["1.9.0", "1.10.0", -1],
    ["1.10.0", "1.10.0-rc.1", 1],
    ["1.10.0-rc.2", "1.10.0-rc.10", -1],
    ["1.10.0+a", "1.10.0+b", 0],
  ])("%s against %s is %s", (left, right, sign) => expect(Math.sign(compareVersions(left, right))).toBe(sign));

  it("are compared antisymmetrically", () => {
    const version = fc.stringMatching(/^v?\d{1,3}\.\d{1,3}\.\d{1,3}(-rc\.\d{1,2})?$/);
    fc.assert(
      fc.property(version, version, (left, right) => {
        expect(Math.sign(compareVersions(left, right)) + Math.sign(compareVersions(right, left))).toBe(0);
      }),
    );
  });

  it("are listed newest first without duplicates", () =>
    expect(versionsOf(entry)).toEqual(["1.10.0", "1.10.0-rc.1", "1.9.0"]));

  it.each([
    ["1.2.0", "1.10.0"],
    ["1.10.0", undefined],
    ["2.0.0", undefined],
  ])("from %s the available upgrade is %s", (version, found) =>
    expect(openUpgrade(anAddon({ version }), entry)).toBe(found),
  );

  it("offer no upgrade for a chart outside the catalog", () =>
    expect(openUpgrade(anAddon(), undefined)).toBeUndefined());
});

describe("an add-on", () => {
  it.each([
    [anAddon(), "ready", "Installed"],
    [anAddon({ status: inPhase("Degraded") }), "attention", "Degraded"],
    [anAddon({ status: inPhase("Failed") }), "failed", "Failed"],
    [anAddon({ paused: true }), "asleep", "Paused"],
    [anAddon({ paused: true, status: inPhase("Deleting") }), "working", "Uninstalling"],
    [anAddon({ status: inPhase("Novel") }), "unknown", "Novel"],
  ])("has a tone and a word", (view, tone, word) => expect(addonState(view)).toEqual({ tone, word }));

  it.each([
    [anAddon(), undefined],
    [anAddon({ platform: true }), "Managed by the platform."],
    [anAddon({ managedBy: "flux" }), "Managed by flux."],
    [anAddon({ status: inPhase("Deleting") }), "The add-on is being removed."],
  ])("shows why it cannot be changed", (view, reason) => expect(fixedBecause(view)).toBe(reason));

  it.each([
    [undefined, []],
    [1, []],
    [3, [2, 1]],
    [30, [29, 28, 27, 26, 25, 24, 23, 22, 21]],
  ])("at revision %s can be rolled back to %s", (revision, found) => {
    const status = { ...anAddon().status, ...(revision !== undefined && { revision }) };
    expect(earlierRevisions(anAddon({ status }))).toEqual(found);
  });

  it("found in the cluster is added to the enabled ones without duplicates", () => {
    const found = (name: string) => ({ name, version: "1.0.0", status: "Healthy", managedBy: "flux" }) as const;
    const cluster = {
      status: { observedState: { addons: [found("web"), found("cilium")] } },
    } as unknown as ClusterView;
    const all = addonsOf([anAddon()], cluster);
    expect(all.map(({ name, platform }) => [name, platform])).toEqual([
      ["web-shop", false],
      ["cilium", true],
    ]);
    expect(all[1] && addonState(all[1]).tone).toBe("ready");
  });
});
