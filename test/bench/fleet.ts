// What many tenant clusters cost the manager (`butler controller`): time to Ready, rate of its passes and writes, memory,
// and what it asks of the API server while nothing changes, each beside one cluster alone or the least that could be.
//
// Real: a management kube-apiserver, etcd and kube-controller-manager with the CRDs of Butler and Cluster API; Cluster API's
// core controllers with their webhooks; the manager as its own process, bundled as in its image, with leader election and
// its admission webhooks; a kube-apiserver that is every tenant's; kwok, which keeps the simulated Nodes in it Ready.
// Played: Steward, the bootstrap provider and the local provider, by lib/fleet-players.ts, and a view of each tenant's own
// Nodes, by lib/fleet-tenant-views.ts. They work at once, so times here are not those of real machines; there are no pods.
// All clusters are one team's, which is the most that they can have to do with each other. Cluster API may send more requests
// a second than by default, which would be all that is measured of large fleets. Port 9443 of this machine must be free.
//
// `-- --clusters 50 --rest 60` measures fewer clusters, or rests for fewer seconds; `--keep` leaves the logs.
import { loadavg } from "node:os";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { mapped, mostOf, type RequestCounts, requestsOf, sumOf } from "./lib/fleet-audit.ts";
import { bareAppliesPerSecond } from "./lib/fleet-bare.ts";
import { FleetClusters } from "./lib/fleet-clusters.ts";
import { type ManagerSample, passesOf, writesOf } from "./lib/fleet-manager.ts";
import { measureRest } from "./lib/fleet-rest.ts";
import { activityOf, whileSampling } from "./lib/fleet-sampler.ts";
import { FleetHarness, makeTeam, type Parts, team, users } from "./lib/fleet-harness.ts";
import { printReport, quantile } from "./lib/report.ts";

const { values: options } = parseArgs({
  options: {
    clusters: { type: "string", default: "200" },
    rest: { type: "string", default: "120" },
    keep: { type: "boolean", default: false },
  },
});
const count = Number(options.clusters);
const restSeconds = Number(options.rest);
if (!(Number.isInteger(count) && count > 1 && restSeconds > 0)) {
  console.error("usage: npm run bench -- fleet [--clusters NUMBER] [--rest SECONDS] [--keep]");
  process.exit(2);
}
const aloneRounds = 3;
/** How many objects the manager works on at once, and so how many the loop beside it does. */
const bareWorkers = 8;
const settleMs = 5_000;
const settleLimitMs = 180_000;

const loads: number[] = [];
const interrupted = new AbortController();
const harness = await FleetHarness.prepare({ keepsLogs: options.keep });
const parent = process.ppid;
const orphaned = setInterval(() => process.ppid !== parent && interrupt("the exit of the parent process"), 1_000);
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => interrupt(signal));

try {
  await measure();
} finally {
  clearInterval(orphaned);
  await harness.stop();
}
process.exit();

async function measure(): Promise<void> {
  say("starting two API servers, Cluster API, kwok and the manager");
  const parts = await harness.start(interrupted.signal);
  const { management, tenants, manager, audit } = parts;
  await makeTeam(management.client, count);
  const clusters = await FleetClusters.open({
    management: management.client,
    tenants: tenants.client,
    team,
    check: () => {
      interrupted.signal.throwIfAborted();
      harness.check();
    },
  });
  const alone = await measureAlone(clusters);
  const atFirst = await settled(parts);

  say(`making ${count} clusters`);
  const names = Array.from({ length: count }, (_, at) => `fleet-${at + 1}`);
  const creationBegan = await audit.mark();
  const created = await whileSampling(manager, () => clusters.create(names));
  const creation = activityOf(created.samples);
  const withAll = await settled(parts);
  const creationEnded = await audit.mark();
  const asked = await audit.between(creationBegan, creationEnded);
  tell({ secondsToReady: Math.max(...created.result.ready), alone, creation, atFirst, withAll });

  say(`resting for ${restSeconds} s`);
  const rest = await measureRest(parts, { seconds: restSeconds, clusters: count, signal: interrupted.signal });
  tell(rest);

  say("changing three clusters among them");
  const scaled: number[] = [];
  for (const name of names.slice(0, aloneRounds)) scaled.push(await clusters.scale(name, 3));

  const writes = writesOf(withAll) - writesOf(atFirst);
  say(`applying ${writes} objects by a bare loop`);
  const barePerSecond = await bareAppliesPerSecond(management, { applies: writes, workers: bareWorkers });

  say(`deleting ${count} clusters`);
  const removed = await whileSampling(manager, () => clusters.remove(names));
  const left = await clusters.leftovers();
  const afterAll = await settled(parts);
  await clusters.close();

  const perCluster = (value: number): number => rounded(value / count);
  printReport(
    "fleet",
    [
      figure(`one of ${count} at once to Ready, p50 : alone`, "s", quantile(created.result.ready, 0.5), alone.ready),
      figure(`one of ${count} at once to Ready, p95 : alone`, "s", quantile(created.result.ready, 0.95), alone.ready),
      figure(`all ${count} Ready, per cluster : alone`, "s", Math.max(...created.result.ready) / count, alone.ready),
      figure(`scaled 2 to 3 among ${count}, p50 : alone`, "s", quantile(scaled, 0.5), alone.scaled),
      figure(`all ${count} deleted, per cluster : alone`, "s", removed.result / count, alone.removed),
      rate("manager's writes while making them : bare loop", creation.writesPerSecond.mean, barePerSecond),
      rate("manager's passes while making them : bare applies", creation.passesPerSecond.mean, barePerSecond),
      figure("manager's memory, all Ready : none", "MiB", withAll.residentMiB, atFirst.residentMiB),
      figure("manager's heap, all Ready : none", "MiB", withAll.heapMiB, atFirst.heapMiB),
      figure("manager's memory, all deleted : none", "MiB", afterAll.residentMiB, atFirst.residentMiB),
      figure("manager's heap, all deleted : none", "MiB", afterAll.heapMiB, atFirst.heapMiB),
      figure("manager's requests at rest : renewing its Lease", "/min", rest.manager.perMinute, rest.leasePerMinute),
    ],
    {
      clusters: count,
      nodes: 2 * count,
      "s until all were Ready": rounded(Math.max(...created.result.ready)),
      "s until accepted, p50 and p95": [0.5, 0.95].map((share) => rounded(quantile(created.result.accepted, share))),
      "requests refused for lack of time, and sent again": clusters.refusals,
      "s of each alone": alone.each,
      "s of each scaled among all": scaled.map(rounded),
      "s until all were deleted": rounded(removed.result),
      "left after deletion": left,
      "manager while making them": roundedAll(creation),
      "passes per cluster made, by controller": perClusterPasses(atFirst, withAll),
      "manager's requests per cluster made": perCluster(sumOf(requestsOf(asked, users.manager))),
      "the most frequent of them, per cluster": divided(mostOf(requestsOf(asked, users.manager), 30)),
      "Cluster API's requests per cluster made": perCluster(sumOf(requestsOf(asked, users.clusterApi))),
      "manager while deleting them": roundedAll(activityOf(removed.samples)),
      "manager's memory per cluster, KiB": {
        resident: Math.round(((withAll.residentMiB - atFirst.residentMiB) * 1_024) / count),
        heap: Math.round(((withAll.heapMiB - atFirst.heapMiB) * 1_024) / count),
      },
      [`at rest for ${restSeconds} s, manager`]: rest.manager,
      [`at rest for ${restSeconds} s, Cluster API`]: rest.clusterApi,
      "bare applies per second": Math.round(barePerSecond),
      "load average of the machine, least and most": [Math.min(...loads), Math.max(...loads)],
    },
  );
  if (rest.manager.writes > 0) throw new Error(`the manager wrote ${rest.manager.writes} times though nothing changed`);
}

/** The first finds nothing in any cache and is not counted. */
async function measureAlone(clusters: FleetClusters) {
  const each: { ready: number; scaled: number; removed: number }[] = [];
  for (let round = 0; round <= aloneRounds; round++) {
    say(round === 0 ? "warming up with one cluster" : `one cluster alone, round ${round} of ${aloneRounds}`);
    const name = `alone-${round}`;
    const [ready = Number.NaN] = (await clusters.create([name])).ready;
    const scaled = await clusters.scale(name, 3);
    const removed = await clusters.remove([name]);
    if (round > 0) each.push({ ready: rounded(ready), scaled: rounded(scaled), removed: rounded(removed) });
  }
  const middle = (of: "ready" | "scaled" | "removed"): number =>
    quantile(
      each.map((one) => one[of]),
      0.5,
    );
  return { ready: middle("ready"), scaled: middle("scaled"), removed: middle("removed"), each };
}

/** Waits until the manager has nothing left to do, and looks at it then. */
async function settled({ manager }: Parts): Promise<ManagerSample> {
  let before = await manager.sample();
  const deadline = performance.now() + settleLimitMs;
  while (performance.now() < deadline) {
    await wait(settleMs, undefined, { signal: interrupted.signal });
    harness.check();
    const now = await manager.sample();
    if (now.queueDepth === 0 && passesOf(now) === passesOf(before)) return manager.sampleAtRest();
    before = now;
  }
  throw new Error(`the manager does not reach a steady state; passes so far: ${JSON.stringify(before.passes)}`);
}

function perClusterPasses(before: ManagerSample, after: ManagerSample): Record<string, number> {
  return mapped(after.passes, (passes, controller) => rounded((passes - (before.passes[controller] ?? 0)) / count));
}

function divided(counts: RequestCounts): Record<string, number> {
  return mapped(counts, (value) => rounded(value / count));
}

function figure(name: string, unit: string, ours: number, baseline: number) {
  return { name, unit, ours, baseline, better: "lower" } as const;
}

function rate(name: string, ours: number, baseline: number) {
  return { name, unit: "/s", ours, baseline, better: "higher" } as const;
}

/** What is known so far, for those who cannot wait for the end. */
function tell(known: object): void {
  console.error(JSON.stringify(roundedAll(known)));
}

function roundedAll(values: object): unknown {
  return JSON.parse(JSON.stringify(values), (_, value: unknown) =>
    typeof value === "number" ? rounded(value) : value,
  );
}

function rounded(value: number): number {
  return Number(value.toFixed(2));
}

function say(sentence: string): void {
  interrupted.signal.throwIfAborted();
  const [load = 0] = loadavg();
  loads.push(rounded(load));
  console.error(`${new Date().toISOString().slice(11, 19)} ${sentence} ... (load ${rounded(load)})`);
}

/** Whatever is being done comes to its end at its next step, and then everything that runs is ended. */
function interrupt(why: string): void {
  if (interrupted.signal.aborted) return;
  console.error(`stopping because of ${why}`);
  interrupted.abort(new Error(`interrupted by ${why}`));
}
