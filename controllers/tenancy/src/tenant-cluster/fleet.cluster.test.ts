import {
  ButlerConfig,
  ClusterCreationPolicy,
  IdentityProvider,
  ProviderConfig,
  Team,
  TenantCluster,
  User,
} from "@butler/api";
import { ControllerRuntime } from "@butler/controller";
import { CacheSet } from "@butler/kube";
import { isConditionTrue, type KubeObject, type Resource } from "@butler/resource";
import { MetricsRegistry } from "@butler/telemetry";
import {
  eventually,
  installLooseCrds,
  quickQueue,
  runControllers,
  type RunningControllers,
  shortOrLong,
  aTestCluster,
  type TestCluster,
} from "@butler/testkit";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPlatformControllers } from "../platform-controllers.ts";
import { clusterKinds, localClusters, looseKinds } from "./testing/cluster-kinds.ts";
import { PlayedClusterApi } from "./testing/played-cluster-api.ts";

const resources = [...clusterKinds, User, ClusterCreationPolicy, IdentityProvider];
const team = "fleet";
const [few, many] = [shortOrLong(4, 10), shortOrLong(16, 80)];
const restMs = 3_000;
const patienceMs = shortOrLong(120_000, 600_000);

let cluster: TestCluster;
let running: RunningControllers;
let played: Promise<void>;
const playing = new AbortController();
const metrics = new MetricsRegistry();
const caches: { read?: CacheSet } = {};

/** Counts of the controllers' work so far. */
interface Work {
  readonly passes: number;
  readonly passesOfClusters: number;
  readonly applies: number;
  readonly sideEffects: number;
  /** Requests to the API server, including watches. */
  readonly requests: number;
}

beforeAll(async () => {
  cluster = await aTestCluster({ resources });
  await installLooseCrds(cluster.client, looseKinds);
  await cluster.createNamespace("butler-system");
  await make(ButlerConfig, { name: "butler" }, { multiTenancy: { mode: "Enforced" } });
  await make(ProviderConfig, { name: "local", namespace: "butler-system" }, { provider: "local" });
  await make(Team, { name: team }, { resourceLimits: { maxClusters: 100 } });
  played = new PlayedClusterApi(cluster.client).play(playing.signal);
  const { client } = cluster.connect({ userAgent: "fleet", metrics });
  caches.read = new CacheSet(client, { metrics });
  const common = { client, caches: caches.read, metrics, queue: quickQueue };
  running = await runControllers(caches.read, [
    new ControllerRuntime(localClusters.controller, {
      ...common,
      ports: localClusters.ports,
    }),
    ...createPlatformControllers(common),
  ]);
  await eventually(() => isConditionTrue(caches.read?.of(Team).get({ name: team })?.status?.conditions, "Ready"));
});

afterAll(async () => {
  playing.abort();
  await played;
  await running?.stop();
  await cluster?.stop();
});

async function make(kind: Resource, metadata: { name: string; namespace?: string }, spec: object): Promise<void> {
  await cluster.client.create(kind, { apiVersion: kind.apiVersion, kind: kind.kind, metadata, spec } as KubeObject);
}

/** Two machines that are pods. */
const clusterSpec = {
  kubernetesVersion: "v1.36.3",
  teamRef: { name: team },
  providerConfigRef: { name: "local" },
  workers: { replicas: 2 },
};

async function workSoFar(): Promise<Work> {
  const [passes, passesOfClusters, applies, sideEffects, requests] = await Promise.all([
    metrics.value("butler_reconcile_duration_seconds"),
    metrics.value("butler_reconcile_duration_seconds", { controller: "tenant-cluster" }),
    metrics.value("butler_reconcile_side_effects_total", { controller: "tenant-cluster", verb: "apply" }),
    metrics.value("butler_reconcile_side_effects_total"),
    metrics.value("butler_api_requests_total"),
  ]);
  return { passes, passesOfClusters, applies, sideEffects, requests };
}

/** Waits until the controllers are idle. */
async function settle(): Promise<Work> {
  let before: Work | undefined;
  return eventually(
    async () => {
      const now = await workSoFar();
      const isSettled = now.passes === before?.passes && (await metrics.value("butler_queue_depth")) === 0;
      before = now;
      return isSettled && now;
    },
    { intervalMs: 1_000, timeoutMs: patienceMs, what: "rest" },
  );
}

/** Creates clusters, waits until all are Ready and the controllers are idle, and returns the work per cluster. */
async function workPerCluster(prefix: string, count: number): Promise<Work> {
  const names = Array.from({ length: count }, (_, at) => `${prefix}-${at}`);
  const before = await settle();
  for (const name of names) {
    await make(TenantCluster, { name, namespace: team }, clusterSpec);
  }
  const isReady = (name: string): boolean =>
    isConditionTrue(caches.read?.of(TenantCluster).get({ name, namespace: team })?.status?.conditions, "Ready");
  await eventually(() => names.every(isReady), {
    timeoutMs: patienceMs,
    what: () => `Ready of ${names.filter((name) => !isReady(name)).join(", ")}`,
  });
  const after = await settle();
  return {
    passes: (after.passes - before.passes) / count,
    passesOfClusters: (after.passesOfClusters - before.passesOfClusters) / count,
    applies: (after.applies - before.applies) / count,
    sideEffects: (after.sideEffects - before.sideEffects) / count,
    requests: (after.requests - before.requests) / count,
  };
}

describe("a fleet of tenant clusters", { timeout: 3 * patienceMs }, () => {
  it(`needs for each of ${many} further clusters no more work than for each of the first ${few}`, async () => {
    const first = await workPerCluster("first", few);
    const more = await workPerCluster("more", many);
    // Namespace, the permissions of the team's roles (six), of Butler's server (two) and of platform administrators (two)
    // there, infrastructure, control plane, Cluster, two templates and the MachineDeployment: each once.
    expect([first.applies, more.applies]).toEqual([17, 17]);
    // The number of status writes depends on how many changes are observed at once; the margin is for that, not for
    // growth.
    expect(more.sideEffects).toBeLessThan(1.5 * first.sideEffects);
    expect(more.requests).toBeLessThan(1.5 * first.requests);
  });

  it("is idle when nothing changes: no pass, no write, no request", async () => {
    playing.abort();
    await played;
    const before = await settle();
    expect(caches.read?.of(TenantCluster).size).toBe(few + many);
    await wait(restMs);
    expect(await workSoFar()).toEqual(before);
  });

  it("reconciles no other cluster when one is created, although team and platform count it", async () => {
    const before = await settle();
    await make(TenantCluster, { name: "one-more", namespace: team }, clusterSpec);
    const isCounted = (): boolean =>
      caches.read?.of(ButlerConfig).get({ name: "butler" })?.status?.clusterCount === few + many + 1 &&
      caches.read.of(Team).get({ name: team })?.status?.resourceUsage?.clusters === few + many + 1;
    await eventually(isCounted, { what: "the count of one more cluster" });
    const after = await settle();
    expect(after.passesOfClusters - before.passesOfClusters).toBeLessThan(few + many);
  });

  it.each([
    ["their team asks", Team, team, { displayName: "Renamed" }],
    ["the platform's settings ask", ButlerConfig, "butler", { sshAuthorizedKey: "ssh-ed25519 AAAA ada" }],
  ])("reconciles all of them when %s a change", async (_what, kind, name, spec) => {
    const before = await settle();
    await cluster.client.patch(kind, { name }, { type: "merge", patch: { spec } });
    const all = few + many + 1;
    const passes = async (): Promise<number> => (await workSoFar()).passesOfClusters - before.passesOfClusters;
    await eventually(async () => (await passes()) >= all, { what: `a pass over each of ${all} clusters` });
  });
});
