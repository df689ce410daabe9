import { describe, expect, it } from "vitest";
import { addonState, clusterState, poolState } from "./states.ts";

const said = (status: string) => [{ type: "Ready", status }];
const [metadata, spec] = [{}, {}];

describe("clusterState", () => {
  it.each([
    [{ metadata, spec }, "working", "Pending"],
    [{ metadata, spec, status: { phase: "Ready", conditions: said("True") } }, "ready", "Ready"],
    [{ metadata, spec, status: { phase: "Ready", conditions: said("False") } }, "attention", "Degraded"],
    [{ metadata, spec, status: { phase: "Failed", conditions: said("False") } }, "failed", "Failed"],
    [{ metadata, spec: { paused: true }, status: { phase: "Ready" } }, "asleep", "Paused"],
    [{ metadata: { deletionTimestamp: "now" }, spec, status: { phase: "Ready" } }, "working", "Deleting"],
  ] as const)("case %#", (cluster, tone, word) => {
    expect(clusterState(cluster)).toEqual({ tone, word });
  });
});

describe("poolState", () => {
  it.each([
    [undefined, undefined, "unknown", "Unknown"],
    [100, 0, "failed", "Full"],
    [100, 10, "failed", "Nearly full"],
    [100, 20, "attention", "Filling up"],
    [100, 21, "ready", "Available"],
  ] as const)("of %s addresses with %s free is %s", (totalIPs, availableIPs, tone, word) => {
    expect(poolState({ status: { totalIPs, availableIPs } })).toEqual({ tone, word });
  });
});

describe("addonState", () => {
  it.each([
    ["Installed", false, { tone: "ready", word: "Installed" }],
    ["Installed", true, { tone: "asleep", word: "Paused" }],
    ["Deleting", true, { tone: "working", word: "Uninstalling", short: "Removing" }],
    ["Uninstalling", true, { tone: "working", word: "Uninstalling", short: "Removing" }],
    ["Elsewhere", false, { tone: "unknown", word: "Elsewhere" }],
  ])("%s, paused %s", (phase, isPaused, state) => {
    expect(addonState(phase, isPaused)).toEqual(state);
  });
});
