import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  addonsOf,
  addonState,
  type AddonView,
  type CatalogueEntry,
  compareVersions,
  earlierRevisions,
  fixedBecause,
  openUpgrade,
  versionsOf,
} from "./addon-facts.ts";
import type { ClusterView } from "./cluster-facts.ts";

const addon = (change: Partial<AddonView> = {}): AddonView => ({
  name: "web-shop",
  addon: "web",
  displayName: "Web",
  version: "1.2.0",
  platform: false,
  managedBy: "butler",
  paused: false,
  status: { phase: "Installed", installedVersion: "1.2.0", message: "" },
  ...change,
});
const entry = {
  defaultVersion: "1.9.0",
  availableVersions: ["1.10.0-rc.1", "1.10.0", "1.9.0"],
} as unknown as CatalogueEntry;
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

  it("is a fair comparison: the other way round is the opposite", () => {
    const version = fc.stringMatching(/^v?\d{1,3}\.\d{1,3}\.\d{1,3}(-rc\.\d{1,2})?$/);
    fc.assert(
      fc.property(version, version, (left, right) => {
        expect(Math.sign(compareVersions(left, right)) + Math.sign(compareVersions(right, left))).toBe(0);
      }),
    );
  });

  it("are listed newest first and once", () => expect(versionsOf(entry)).toEqual(["1.10.0", "1.10.0-rc.1", "1.9.0"]));

  it.each([
    ["1.2.0", "1.10.0"],
    ["1.10.0", undefined],
    ["2.0.0", undefined],
  ])("with %s the open upgrade is %s", (version, found) => expect(openUpgrade(addon({ version }), entry)).toBe(found));

  it("none is open for a chart that the catalogue does not have", () =>
    expect(openUpgrade(addon(), undefined)).toBeUndefined());
});

describe("an add-on", () => {
  it.each([
    [addon(), "ready", "Installed"],
    [addon({ status: inPhase("Degraded") }), "attention", "Not well"],
    [addon({ status: inPhase("Failed") }), "failed", "Failed"],
    [addon({ paused: true }), "asleep", "Left as it is"],
    [addon({ paused: true, status: inPhase("Deleting") }), "working", "Being removed"],
    [addon({ status: inPhase("Novel") }), "unknown", "Novel"],
  ])("is told by tone and word", (view, tone, word) => expect(addonState(view)).toEqual({ tone, word }));

  it.each([
    [addon(), undefined],
    [addon({ platform: true }), "It belongs to the platform, which looks after it."],
    [addon({ managedBy: "flux" }), "It is looked after by flux."],
    [addon({ status: inPhase("Deleting") }), "It is being removed."],
  ])("is fixed for a reason", (view, reason) => expect(fixedBecause(view)).toBe(reason));

  it.each([
    [undefined, []],
    [1, []],
    [3, [2, 1]],
    [30, [29, 28, 27, 26, 25, 24, 23, 22, 21]],
  ])("of revision %s can go back to %s", (revision, found) => {
    const status = { ...addon().status, ...(revision !== undefined && { revision }) };
    expect(earlierRevisions(addon({ status }))).toEqual(found);
  });

  it("that was found in the cluster joins those asked for, unless it is one of them", () => {
    const found = (name: string) => ({ name, version: "1.0.0", status: "Healthy", managedBy: "flux" }) as const;
    const cluster = {
      status: { observedState: { addons: [found("web"), found("cilium")] } },
    } as unknown as ClusterView;
    const all = addonsOf([addon()], cluster);
    expect(all.map(({ name, platform }) => [name, platform])).toEqual([
      ["web-shop", false],
      ["cilium", true],
    ]);
    expect(all[1] && addonState(all[1]).tone).toBe("ready");
  });
});
