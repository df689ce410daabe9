import { describe, expect, it } from "vitest";
import { aStoredCluster, frontEnds, type Outcome, type Situation } from "./lib/front-ends.ts";

const names = ["butlerctl", "server", "console", "dashboard"] as const;
type FrontEndName = (typeof names)[number];
type Parts = Parameters<typeof aStoredCluster>[0];
type Request = Situation["request"];

const scale = (workers: string, pool = "workers"): Request => ({ kind: "scale", pool, workers });
const upgrade = (version: string): Request => ({ kind: "upgrade", version });

const pools: Parts = {
  spec: {
    workerPools: [
      { name: "arm", replicas: 1, machineTemplate: {} },
      { name: "gpu", replicas: 1, machineTemplate: {} },
    ],
  },
};
const leaving: Parts = { metadata: { deletionTimestamp: "2026-11-15T12:00:00Z", finalizers: ["example.com/x"] } };
const upgradingFrom = (running: string, set: string | undefined): Parts => ({
  spec: { kubernetesVersion: set },
  status: { observedState: { kubernetesVersion: running } },
});

async function outcomes(situation: Situation): Promise<Readonly<Record<FrontEndName, Outcome>>> {
  const results = names.map(async (name) => [name, await frontEnds[name](situation)] as const);
  return Object.fromEntries(await Promise.all(results)) as Record<FrontEndName, Outcome>;
}

const same = (outcome: object) => Object.fromEntries(names.map((name) => [name, outcome]));

describe("every front end", () => {
  const workers = "/spec/workers/replicas";
  const version = "/spec/kubernetesVersion";

  it.each<[string, Request, Parts, object[]]>([
    [
      "more workers",
      scale("5"),
      {},
      [
        { op: "test", path: workers, value: 2 },
        { op: "add", path: workers, value: 5 },
      ],
    ],
    [
      "fewer workers",
      scale("1"),
      {},
      [
        { op: "test", path: workers, value: 2 },
        { op: "add", path: workers, value: 1 },
      ],
    ],
    [
      "a size where none is set",
      scale("1"),
      { spec: { workers: { machineTemplate: {} } } },
      [
        { op: "test", path: workers, value: null },
        { op: "add", path: workers, value: 1 },
      ],
    ],
    [
      "an empty additional pool",
      scale("0", "gpu"),
      pools,
      [
        { op: "test", path: "/spec/workerPools/1/name", value: "gpu" },
        { op: "test", path: "/spec/workerPools/1/replicas", value: 1 },
        { op: "add", path: "/spec/workerPools/1/replicas", value: 0 },
      ],
    ],
    [
      "the largest pool",
      scale("10000"),
      {},
      [
        { op: "test", path: workers, value: 2 },
        { op: "add", path: workers, value: 10_000 },
      ],
    ],
    [
      "the next minor version",
      upgrade("v1.35.0"),
      {},
      [
        { op: "test", path: version, value: "v1.34.1" },
        { op: "add", path: version, value: "v1.35.0" },
      ],
    ],
    [
      "an earlier patch version",
      upgrade("v1.34.0"),
      {},
      [
        { op: "test", path: version, value: "v1.34.1" },
        { op: "add", path: version, value: "v1.34.0" },
      ],
    ],
    [
      "a version where none is set",
      upgrade("v1.35.0"),
      upgradingFrom("v1.34.1", undefined),
      [
        { op: "test", path: version, value: null },
        { op: "add", path: version, value: "v1.35.0" },
      ],
    ],
  ])("sends the same patch for %s", async (_what, request, parts, body) => {
    const patches = [{ contentType: "application/json-patch+json", body }];
    expect(await outcomes({ cluster: aStoredCluster(parts), request })).toEqual(same({ patches, text: undefined }));
  });

  it("accepts a version without its v, which only the contract of the server requires", async () => {
    const body = [
      { op: "test", path: version, value: "v1.34.1" },
      { op: "add", path: version, value: "v1.35.0" },
    ];
    const patches = [{ contentType: "application/json-patch+json", body }];
    expect(await outcomes({ cluster: aStoredCluster({}), request: upgrade("1.35.0") })).toEqual({
      ...same({ patches, text: undefined }),
      server: { patches: [], text: "version: must be a version such as v1.34.1" },
    });
  });

  it.each<[string, Request, Parts, string]>([
    ["an empty main pool", scale("0"), pools, "the main pool requires at least 1 worker"],
    [
      "a version that skips another",
      upgrade("v1.36.0"),
      {},
      "blue cannot be upgraded from v1.34.1 to v1.36.0 directly; upgrade to v1.35 first",
    ],
    [
      "a version that skips the running one",
      upgrade("v1.36.0"),
      upgradingFrom("v1.34.1", "v1.35.0"),
      "blue cannot be upgraded from v1.34.1 to v1.36.0 directly; upgrade to v1.35 first",
    ],
    [
      "a downgrade",
      upgrade("v1.33.9"),
      {},
      "blue cannot be downgraded from v1.34.1 to v1.33.9; minor version downgrades are not supported",
    ],
    [
      "a downgrade during an upgrade",
      upgrade("v1.34.1"),
      upgradingFrom("v1.34.1", "v1.35.0"),
      "blue cannot be downgraded from v1.35.0 to v1.34.1; minor version downgrades are not supported",
    ],
    ["an unknown version", upgrade("v1.99.0"), {}, "v1.99.0 is not supported; choose a version from v1.30 to v1.36"],
  ])("refuses %s with the same text", async (_what, request, parts, text) => {
    expect(await outcomes({ cluster: aStoredCluster(parts), request })).toEqual(same({ patches: [], text }));
  });

  it("refuses an unknown pool; the dashboard does not offer it", async () => {
    const refused = { patches: [], text: "pool cpu not found; available pools: workers, arm, gpu" };
    expect(await outcomes({ cluster: aStoredCluster(pools), request: scale("1", "cpu") })).toEqual({
      ...same(refused),
      dashboard: { patches: [], text: undefined },
    });
  });

  it.each<[string, Request, string, RegExp]>([
    [
      "more than the largest pool",
      scale("10001"),
      "the number of workers must be a whole number from 1 to 10000",
      /10000/,
    ],
    ["part of a worker", scale("1.5"), "the number of workers must be a whole number from 1 to 10000", /int/],
    ["fewer than none", scale("-1"), "the number of workers must be a whole number from 1 to 10000", />=0/],
    [
      "a version that is none",
      upgrade("latest"),
      'the version must be a full version such as v1.36.3, not "latest"',
      /must be a version such as/,
    ],
  ])("refuses %s; the server by its contract", async (_what, request, text, byContract) => {
    expect(await outcomes({ cluster: aStoredCluster({}), request })).toEqual({
      ...same({ patches: [], text }),
      server: { patches: [], text: expect.stringMatching(byContract) as string },
    });
  });

  it.each<[string, Request]>([
    ["scale", scale("5")],
    ["upgrade", upgrade("v1.35.0")],
  ])("does not %s a cluster that is being deleted", async (_what, request) => {
    const text = "blue is already being deleted";
    expect(await outcomes({ cluster: aStoredCluster(leaving), request })).toEqual({
      ...same({ patches: [], text }),
      // A sentence of its own, not the fault of an answer.
      dashboard: { patches: [], text: `${text}.` },
    });
  });

  it.each<[string, Request, string]>([
    ["the current size", scale("2"), "blue already has 2 workers."],
    ["the current size of another pool", scale("1", "gpu"), "blue, pool gpu, already has 1 worker."],
    ["the current version", upgrade("v1.34.1"), "blue is already set to v1.34.1."],
  ])("sends nothing for %s", async (_what, request, text) => {
    const [told, untold] = [text, undefined].map((each) => ({ patches: [], text: each }));
    expect(await outcomes({ cluster: aStoredCluster(pools), request })).toEqual({
      butlerctl: told,
      dashboard: told,
      server: untold,
      console: untold,
    });
  });

  it.each<[string, Request]>([
    ["scale", scale("5")],
    ["upgrade", upgrade("v1.35.0")],
  ])("reports that another client changed the field first: %s", async (_what, request) => {
    const message = "the server rejected our request due to an error in our request";
    const rejection = { status: 422, reason: "Invalid", message };
    const conflict = { patches: [], text: expect.stringContaining("nothing was written") as string };
    expect(await outcomes({ cluster: aStoredCluster({}), request, rejection })).toEqual(same(conflict));
  });

  it.each<[string, Request]>([
    ["scale", scale("5")],
    ["upgrade", upgrade("v1.35.0")],
  ])("does not let viewers %s", async (_what, request) => {
    // The command line and the dashboard leave roles to the API server, the server and the console to the server.
    const message = 'User "ada@example.com" cannot patch resource "tenantclusters" in the namespace "payments"';
    const rejection = { status: 403, reason: "Forbidden", message };
    const byServer = { patches: [], text: expect.stringContaining("requires the operator role") as string };
    const byKubernetes = { patches: [], text: expect.stringContaining("you cannot patch resource") as string };
    expect(await outcomes({ cluster: aStoredCluster({}), request, role: "viewer", rejection })).toEqual({
      butlerctl: byKubernetes,
      dashboard: byKubernetes,
      server: byServer,
      console: byServer,
    });
  });
});
