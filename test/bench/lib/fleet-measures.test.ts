import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AuditLog, byVerb, mostOf, sumOf } from "./fleet-audit.ts";
import { type ManagerSample, passesOf, readManagerMetrics, writesOf } from "./fleet-manager.ts";
import { activityOf } from "./fleet-sampler.ts";
import { viewedPath } from "./fleet-tenant-views.ts";

describe("a tenant's view of the shared API server", () => {
  it.each([
    ["/a/api/v1/nodes", "/api/v1/nodes?labelSelector=fleet.example.com%2Ftenant%3Da", false],
    ["/a/api/v1/nodes?watch=true", "/api/v1/nodes?watch=true&labelSelector=fleet.example.com%2Ftenant%3Da", true],
    [
      "/a/api/v1/nodes?labelSelector=x%3Dy",
      "/api/v1/nodes?labelSelector=fleet.example.com%2Ftenant%3Da%2Cx%3Dy",
      false,
    ],
    ["/a/api/v1/nodes/one", "/api/v1/nodes/one", false],
    ["/a/api/v1/pods?limit=5", "/api/v1/pods?limit=5", false],
    ["/a/", "/", false],
    ["/a", "/", false],
  ])("of %s is %s", (url, path, isWatch) => {
    expect(viewedPath(url)).toEqual({ path, isWatch });
  });
});

describe("an API server's audit log", () => {
  let directory: string;
  const event = (verb: string, stage: string, more: object = {}): string =>
    JSON.stringify({
      verb,
      stage,
      user: { username: "manager" },
      requestURI: "/readyz?x=y",
      objectRef: { resource: "pods" },
      responseStatus: { code: 200 },
      ...more,
    });

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "fleet-audit-"));
  });
  afterAll(() => rm(directory, { recursive: true, force: true }));

  it("is counted by user, verb and resource, watches when they begin", async () => {
    const file = join(directory, "audit.log");
    const lines = [
      event("get", "ResponseComplete", { user: { username: "before" } }),
      event("watch", "ResponseStarted"),
      event("watch", "ResponseComplete"),
      event("patch", "ResponseComplete", { objectRef: { resource: "pods", subresource: "status" } }),
      event("create", "ResponseComplete", { responseStatus: { code: 409 } }),
      event("get", "ResponseComplete", { objectRef: undefined }),
      "half of a li",
      event("get", "ResponseComplete", { user: { username: "other" } }),
    ];
    await writeFile(file, lines.map((line) => `${line}\n`).join(""));
    const asked = await new AuditLog(file).between((lines[0]?.length ?? 0) + 1, lines.join("\n").length + 1);
    expect(Object.fromEntries(asked)).toEqual({
      manager: { "watch pods": 1, "patch pods/status": 1, "create pods 409": 1, "get /readyz": 1 },
      other: { "get pods": 1 },
    });
  });

  it("is added up", () => {
    const counts = { "get a": 3, "get b": 1, "list a": 5 };
    expect([byVerb(counts), mostOf(counts, 2), sumOf(counts)]).toEqual([
      { get: 4, list: 5 },
      { "list a": 5, "get a": 3 },
      9,
    ]);
  });
});

describe("the manager's metrics", () => {
  it("are read from its page", () => {
    const sample = readManagerMetrics(
      [
        'butler_reconcile_duration_seconds_count{controller="team",outcome="settled"} 5',
        'butler_reconcile_duration_seconds_count{controller="team",outcome="changed"} 2',
        'butler_reconcile_duration_seconds_count{controller="user",outcome="settled"} 1',
        'butler_reconcile_side_effects_total{controller="team",verb="apply"} 4',
        'butler_reconcile_side_effects_total{controller="user",verb="apply"} 1',
        'butler_reconcile_side_effects_total{controller="user",verb="event"} 9',
        'butler_queue_depth{controller="team"} 3',
        'butler_api_requests_total{method="GET",code="200"} 7',
        "butler_nodejs_heap_size_used_bytes 1048576",
        'butler_event_loop_delay_seconds{quantile="0.5"} 0.01',
        'butler_event_loop_delay_seconds{quantile="0.99"} 0.05',
      ].join("\n"),
    );
    expect(sample).toMatchObject({
      passes: { team: 7, user: 1 },
      idlePasses: 6,
      retries: 0,
      sideEffects: { apply: 5, event: 9 },
      queueDepth: 3,
      requests: 7,
      heapMiB: 1,
      eventLoopDelayMs: 50,
    });
    expect([passesOf(sample), writesOf(sample)]).toEqual([8, 5]);
  });

  it("give rates and peaks", () => {
    const at = (seconds: number, passes: number, more: Partial<ManagerSample> = {}): ManagerSample => ({
      atMs: seconds * 1_000,
      passes: { team: passes },
      idlePasses: passes / 2,
      retries: 0,
      sideEffects: { apply: passes },
      queueDepth: 0,
      requests: 0,
      cpuSeconds: seconds / 2,
      residentMiB: 100,
      heapMiB: 10,
      eventLoopDelayMs: 1,
      ...more,
    });
    // The last is too close to the one before it to say anything about a rate.
    const samples = [at(0, 0), at(1, 10), at(2, 40, { queueDepth: 7, residentMiB: 150 }), at(4, 40), at(4.01, 44)];
    expect(activityOf(samples)).toMatchObject({
      passes: 44,
      idlePasses: 22,
      passesPerSecond: { mean: 44 / 4.01, peak: 30 },
      writesPerSecond: { peak: 30 },
      mostResidentMiB: 150,
      deepestQueue: 7,
    });
  });
});
