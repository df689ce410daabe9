import { annotations, labels } from "@butler/api";
import { describe, expect, it } from "vitest";
import type { Decision } from "./decision.ts";
import { decideDeletion } from "./delete.ts";
import { decideMove } from "./move.ts";
import { decideProtection } from "./protect.ts";
import { decideScale, readWorkers } from "./scale.ts";
import { decideUpgrade, isAllowedVersion } from "./upgrade.ts";

const blue = {
  metadata: { name: "blue", uid: "u1", labels: { [labels.environment]: "dev" } },
  spec: {
    kubernetesVersion: "v1.35.2",
    workers: { replicas: 2 },
    workerPools: [
      { name: "arm", replicas: 1 },
      { name: "gpu", replicas: 1 },
    ],
  },
};
const leaving = { ...blue, metadata: { ...blue.metadata, deletionTimestamp: "2026-11-15T12:00:00Z" } };

const refusal = (reason: string, message: string | RegExp, field?: string) => ({
  state: "refused",
  refusal: {
    reason,
    message: typeof message === "string" ? message : (expect.stringMatching(message) as string),
    ...(field === undefined ? {} : { field }),
  },
});

describe("decideScale", () => {
  it("changes one number of a pool, and only if nothing about it has changed", () => {
    expect(decideScale(blue, { pool: "workers", workers: 4 })).toEqual({
      state: "change",
      summary: "Scaling blue from 2 to 4 workers.",
      effects: ["Scaling blue from 2 to 4 workers."],
      patch: [
        { op: "test", path: "/spec/workers/replicas", value: 2 },
        { op: "add", path: "/spec/workers/replicas", value: 4 },
      ],
    });
    expect(decideScale(blue, { pool: "gpu", workers: 0 })).toEqual({
      state: "change",
      summary: "Scaling blue, pool gpu, from 1 to 0 workers.",
      effects: ["Scaling blue, pool gpu, from 1 to 0 workers.", "1 machine is removed; pods are rescheduled."],
      patch: [
        { op: "test", path: "/spec/workerPools/1/name", value: "gpu" },
        { op: "test", path: "/spec/workerPools/1/replicas", value: 1 },
        { op: "add", path: "/spec/workerPools/1/replicas", value: 0 },
      ],
    });
  });

  it("counts an unset size as the default, and tests that it is still unset", () => {
    const unset = { ...blue, spec: { workers: {} } };
    expect(decideScale(unset, { pool: "workers", workers: 3 })).toMatchObject({ state: "unchanged" });
    expect(decideScale(unset, { pool: "workers", workers: 1 })).toMatchObject({
      effects: ["Scaling blue from 3 to 1 worker.", "2 machines are removed; pods are rescheduled."],
      patch: [{ op: "test", value: null }, { value: 1 }],
    });
  });

  it.each<[string, number, object]>([
    ["workers", 0, refusal("MINIMUM", "the main pool requires at least 1 worker", "replicas")],
    ["workers", -1, refusal("OUT_OF_RANGE", /whole number from 1 to 10000/, "replicas")],
    ["gpu", -1, refusal("OUT_OF_RANGE", /whole number from 0 to 10000/, "replicas")],
    ["workers", 10_001, refusal("OUT_OF_RANGE", /whole number/, "replicas")],
    ["workers", 1.5, refusal("OUT_OF_RANGE", /whole number/, "replicas")],
    ["workers", Number.NaN, refusal("OUT_OF_RANGE", /whole number/, "replicas")],
    ["cpu", 1, refusal("NOT_FOUND", "pool cpu not found", "pool")],
    ["workers", 2, { state: "unchanged", message: "blue already has 2 workers" }],
    ["gpu", 1, { state: "unchanged", message: "blue, pool gpu, already has 1 worker" }],
  ])("for pool %s, %d workers", (pool, workers, decision) => {
    expect(decideScale(blue, { pool, workers })).toMatchObject(decision);
  });

  it("lists the pools when there is none of the name", () => {
    const remedy = "available pools: workers, arm, gpu";
    expect(decideScale(blue, { pool: "cpu", workers: 1 })).toMatchObject({ refusal: { remedy } });
  });
});

it.each([
  ["3", 3],
  [" 12 ", 12],
  ["-1", Number.NaN],
  ["1.5", Number.NaN],
  ["", Number.NaN],
  ["1e3", Number.NaN],
])("reads the number of workers %j", (text, workers) => {
  expect(readWorkers(text)).toBe(workers);
});

describe("decideUpgrade", () => {
  const cluster = (wanted: string | undefined, running?: string) => ({
    ...blue,
    spec: { ...blue.spec, kubernetesVersion: wanted },
    status: { observedState: { kubernetesVersion: running } },
  });

  it("lists the steps", () => {
    expect(decideUpgrade(cluster("v1.35.2", "v1.35.2"), "1.36.3")).toEqual({
      state: "change",
      summary: "Upgrading blue to v1.36.3.",
      patch: [
        { op: "test", path: "/spec/kubernetesVersion", value: "v1.35.2" },
        { op: "add", path: "/spec/kubernetesVersion", value: "v1.36.3" },
      ],
      effects: [
        "Upgrade of blue from v1.35.2 to v1.36.3:",
        "  1. the control plane is upgraded; the API stays available",
        "  2. the 4 worker machines are replaced in a rolling update; pods are rescheduled",
        "A minor version upgrade cannot be rolled back.",
      ],
    });
  });

  it.each<[string | undefined, string]>([
    ["v1.36.3", "v1.36.3"],
    ["1.36.3", "v1.36.3"],
    ["v1.36.3", "1.36.3"],
    [undefined, "v1.36.3"],
  ])("does nothing when %s is set already and %s is requested", (set, to) => {
    const message = "blue is already set to v1.36.3";
    expect(decideUpgrade(cluster(set, "v1.36.3"), to)).toEqual({ state: "unchanged", message });
  });

  it.each([
    [
      "v1.34.0",
      "v1.34.0",
      "v1.36.3",
      "blue cannot be upgraded from v1.34.0 to v1.36.3 directly; upgrade to v1.35 first",
    ],
    ["v1.36.3", "v1.36.3", "v1.35.9", /^blue cannot be downgraded from v1.36.3 to v1.35.9/],
    ["v1.35.0", "v1.34.0", "v1.36.0", /^blue cannot be upgraded from v1.34.0 to v1.36.0 directly/],
    ["v1.36.3", "v1.36.3", "latest", /^the version must be a full version such as/],
    ["v1.36.3", "v1.36.3", "v1.99.0", /^v1.99.0 is not supported; choose a version/],
    [undefined, undefined, "v1.99.0", /^v1.99.0 is not supported/],
  ])("set to %s, running %s, to %s: refuses", (wanted, runs, to, message) => {
    expect(decideUpgrade(cluster(wanted, runs), to)).toMatchObject(
      refusal("UNSUPPORTED", message, "kubernetesVersion"),
    );
  });

  it("refuses versions that the team may not use", () => {
    const decision = decideUpgrade(cluster("v1.35.2"), "v1.36.3", { allowed: ["v1.36.1", "1.35"] });
    expect(decision).toMatchObject(
      refusal("NOT_ALLOWED", "Kubernetes v1.36.3 is not allowed for the team; choose one of v1.36.1, 1.35"),
    );
  });
});

it.each<[string, readonly string[], boolean]>([
  ["v1.35.2", [], true],
  ["v1.35.2", ["1.35.2"], true],
  ["v1.35.2", [" v1.35 "], true],
  ["v1.35.2", ["v1.3"], false],
  ["v1.35.2", ["v1.35.20", "1.36"], false],
])("whether %s is allowed by %j: %s", (version, allowed, isAllowed) => {
  expect(isAllowedVersion(version, allowed)).toBe(isAllowed);
});

describe("decideMove", () => {
  const team = {
    name: "payments",
    environments: [
      { name: "dev", limits: { maxClusters: 1 }, clusterCount: 1 },
      { name: "prod", limits: { maxClusters: 2 }, clusterCount: 2 },
      { name: "test" },
    ],
  };
  const allow = { op: "add", path: "/metadata/annotations", value: { [annotations.migrationOperation]: "true" } };

  it("tests the environment, and permits the move by annotation", () => {
    const path = "/metadata/labels/butler.butlerlabs.dev~1environment";
    const expected = [
      { op: "test", path, value: "dev" },
      { op: "add", path, value: "test" },
      { op: "test", path: "/metadata/annotations", value: null },
      allow,
    ];
    expect(decideMove(blue, { to: "test", team })).toMatchObject({ state: "change", patch: expected });
    const out = [expected[0], { op: "remove", path }, ...expected.slice(2)];
    expect(decideMove(blue, { to: undefined, team })).toMatchObject({ state: "change", patch: out });
  });

  it.each<[string, string | undefined, object]>([
    ["its environment", "dev", { state: "unchanged", message: "blue is already in environment dev" }],
    ["a full one", "prod", refusal("QUOTA", "prod is full: 2 of 2 clusters", "environment")],
    ["an unknown one", "moon", refusal("NOT_FOUND", 'team payments has no environment "moon"', "environment")],
  ])("to %s", (_what, to, decision) => {
    expect(decideMove(blue, { to, team })).toMatchObject(decision);
  });

  it("leaves unknown teams to the API server", () => {
    expect(decideMove(blue, { to: "moon" })).toMatchObject({ state: "change" });
    const none = { ...blue, metadata: { name: "blue" } };
    const message = "blue is not in an environment";
    expect(decideMove(none, { to: undefined })).toEqual({ state: "unchanged", message });
  });
});

describe("decideProtection and decideDeletion", () => {
  const protects = { [annotations.deletionProtection]: "true" };
  const kept = { ...blue, metadata: { ...blue.metadata, annotations: protects } };

  it("turns the protection on and off", () => {
    const path = "/metadata/annotations/butler.butlerlabs.dev~1deletion-protection";
    expect(decideProtection(blue, true)).toMatchObject({
      patch: [
        { op: "test", path: "/metadata/annotations", value: null },
        { op: "add", path: "/metadata/annotations", value: protects },
      ],
    });
    expect(decideProtection(kept, false)).toMatchObject({
      patch: [
        { op: "test", path, value: "true" },
        { op: "remove", path },
      ],
    });
    expect([decideProtection(blue, false).state, decideProtection(kept, true).state]).toEqual([
      "unchanged",
      "unchanged",
    ]);
  });

  it("deletes only this cluster, and no protected one", () => {
    expect(decideDeletion(blue)).toEqual({ state: "delete", uid: "u1" });
    expect(decideDeletion(kept)).toMatchObject(refusal("DELETION_PROTECTED", "blue is protected from deletion"));
    expect(decideDeletion(leaving)).toEqual({ state: "unchanged", message: "blue is already being deleted" });
  });
});

it.each<[string, () => Decision]>([
  ["scaled", () => decideScale(leaving, { pool: "workers", workers: 5 })],
  ["upgraded", () => decideUpgrade(leaving, "v1.36.3")],
  ["moved", () => decideMove(leaving, { to: "prod" })],
  ["protected", () => decideProtection(leaving, true)],
])("a cluster that is being deleted cannot be %s", (_what, decide) => {
  expect(decide()).toMatchObject(refusal("DELETING", "blue is already being deleted", ""));
});
