// The server compared with the API server that it uses, in the same run. Both are real; the server is a separate
// process with its sign-in, its audit log and its live channels, over TLS as the API server is.
//
// Lists: 5,000 clusters of 100 teams, with their status; rates of pages, filters and whole lists over one connection
// and over eight, compared with the API server's own lists of the same objects as JSON, with the same client. The aim
// is 10 times the rate. On a machine that others use, the processor time that each answer takes says more; both are
// printed.
//
// Live channels: 500 WebSocket clients of 50 people in different teams, with 50 changes a second through the Kubernetes
// API, some of which move clusters between teams; ten clients ask for everything and do not read for 20 s. At the end,
// each client must have received exactly what it may see, and never anything else. The clients run in a process of
// their own.
//
// `-- --live 600` changes for ten minutes; `--lists 1` measures each list for a second; 0 leaves that part out.
import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import { allResources } from "@butler/api";
import { aTestCluster } from "@butler/testkit";
import { processesOf, processorSecondsOf } from "./lib/process-search.ts";
import { type Figure, printReport, quantile } from "./lib/report.ts";
import { type FleetSize, makeFleet, peopleOf } from "./lib/server-fleet.ts";
import { listContests, type ListOutcome, measureContest, type SideOutcome } from "./lib/server-lists.ts";
import { type LiveResult, measureLive, slopePerMinute } from "./lib/server-live.ts";
import type { LoadTarget } from "./lib/server-load.ts";
import { forwarded, ServerPeople } from "./lib/server-people.ts";
import { type ApiServer, type ServerSample, ServerHarness } from "./lib/server-harness.ts";

const { values: flags } = parseArgs({
  options: {
    clusters: { type: "string", default: "5000" },
    teams: { type: "string", default: "100" },
    clients: { type: "string", default: "500" },
    lists: { type: "string", default: "3" },
    live: { type: "string", default: "60" },
    /** A folder for a profile of the server's processor time. */
    profile: { type: "string" },
  },
});
const teams = Number(flags.teams);
const size: FleetSize = { teams, clustersPerTeam: Number(flags.clusters) / teams, people: 50 };
const [listSeconds, liveSeconds] = [Number(flags.lists), Number(flags.live)];
const clients = Number(flags.clients);
const isMeant = [size.clustersPerTeam, clients / size.people].every((each) => Number.isInteger(each) && each > 0);
if (!isMeant || size.clustersPerTeam < 3 || !(listSeconds >= 0 && liveSeconds >= 0)) {
  console.error(
    "usage: npm run bench -- server [--clusters N --teams N] [--clients N] [--lists SECONDS] [--live SECONDS]",
  );
  process.exit(2);
}
/** How many times the API server's rate is aimed at. */
const aim = 10;
const loads: number[] = [];

say("starting an API server");
const cluster = await aTestCluster({ resources: allResources });
try {
  say(`making ${flags.clusters} clusters of ${teams} teams`);
  await makeFleet(cluster.client, size);
  say("starting the server");
  const profile = flags.profile === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${flags.profile}`];
  const harness = await ServerHarness.start(cluster, profile);
  try {
    await measure(harness);
  } finally {
    await harness.stop();
  }
} finally {
  await cluster.stop();
}

async function measure(harness: ServerHarness): Promise<void> {
  const atFirst = await harness.sampleCollected();
  const outcomes = listSeconds === 0 ? [] : await measureLists(harness, cluster);
  const { client } = cluster;
  const live =
    liveSeconds === 0
      ? undefined
      : await measureLive(harness, { client, size, clients, changesPerSecond: 50, seconds: liveSeconds, say });
  printReport("server", outcomes.flatMap(figuresOf), {
    "server's memory with all clusters, MiB": rounded(atFirst.residentMiB),
    ...Object.fromEntries(outcomes.map(factOf)),
    ...(live === undefined ? {} : liveFacts(live)),
    "load average of the machine, least and most": [Math.min(...loads), Math.max(...loads)],
  });
  if (live !== undefined) requireConsistent(live);
}

async function measureLists(harness: ServerHarness, { controlPlane }: ApiServer): Promise<ListOutcome[]> {
  const people = new ServerPeople(harness);
  const [admin] = peopleOf(size);
  const pids = await processesOf(controlPlane.directory);
  const processorSeconds = {
    ours: async () => (await harness.process.use()).cpuSeconds,
    baseline: () => processorSecondsOf(pids),
  };
  const { server: origin, caPem: ca, adminCert: cert, adminKey: key } = controlPlane;
  const baseline: LoadTarget = { origin, ca, cert, key, headers: () => ({ accept: "application/json" }) };
  const outcomes: ListOutcome[] = [];
  for (const connections of [1, 8]) {
    const first = await people.token(admin?.email ?? "");
    for (const contest of await listContests(ourTarget(harness, first), baseline, size)) {
      say(`${contest.name}, over ${connections} connections`);
      // A token lasts five minutes; all of this can last longer.
      const targets = { ours: ourTarget(harness, await people.token(admin?.email ?? "")), baseline };
      const seconds = listSeconds;
      outcomes.push(await measureContest(contest, { targets, connections, seconds, processorSeconds }));
    }
  }
  await people.close();
  return outcomes;
}

function ourTarget({ url: origin, ca }: ServerHarness, token: string): LoadTarget {
  const authorization = `Bearer ${token}`;
  return { origin, ca, headers: () => ({ ...forwarded(), authorization }) };
}

function figuresOf({ name, connections, ours, baseline }: ListOutcome): Figure[] {
  const line = `${name}, ${connections} ${connections === 1 ? "connection" : "connections"}`;
  return [
    { name: line, unit: "/s", ours: ours.rate, baseline: baseline.rate, better: "higher" },
    {
      name: `${line}, processor time`,
      unit: "ms",
      ours: ours.processorMs,
      baseline: baseline.processorMs,
      better: "lower",
    },
  ];
}

function factOf({ name, connections, ours, baseline }: ListOutcome): [string, unknown] {
  const times = ({ p50Ms, p99Ms, bytesPerSecond }: SideOutcome) => ({
    p50Ms: rounded(p50Ms),
    p99Ms: rounded(p99Ms),
    mebibytesPerSecond: rounded(bytesPerSecond / 2 ** 20),
  });
  const ratio = ours.rate / baseline.rate;
  const saved = baseline.processorMs / ours.processorMs;
  return [
    `${name}, ${connections}`,
    {
      ratio: rounded(ratio),
      isAimMet: ratio >= aim,
      processorRatio: rounded(saved),
      ours: times(ours),
      baseline: times(baseline),
    },
  ];
}

function liveFacts({ connectSeconds, report, written, samples, collected, mostWhileStalledMiB }: LiveResult) {
  const third = Math.floor(samples.length / 3);
  const [first, last] = [samples[0], samples.at(-1)];
  const seconds = ((last?.atMs ?? 0) - (first?.atMs ?? 0)) / 1_000;
  const meanOf = (some: readonly ServerSample[]): number =>
    rounded(some.reduce((sum, { residentMiB }) => sum + residentMiB, 0) / some.length);
  const { differences, foreign, delayMs, bytes, settledMs, ...counts } = report;
  return {
    "live: counts": counts,
    "live: s until all were connected and had everything": rounded(connectSeconds),
    "live: changes written": {
      count: written.writes,
      perSecond: rounded(written.perSecond),
      failed: written.failures.length,
      failures: written.failures.slice(0, 5),
    },
    "live: ms that the API server took for a write, p50 and p99": [0.5, 0.99].map((share) =>
      rounded(quantile(written.tookMs, share)),
    ),
    "live: ms from before a write to its arrival": delayMs,
    "live: ms after the last write until all knew everything": settledMs,
    "live: differences": differences,
    "live: objects of foreign teams": foreign,
    "live: bytes per client": bytes,
    "live: server's memory, mean of first and last third, MiB": [
      meanOf(samples.slice(0, third)),
      meanOf(samples.slice(-third)),
    ],
    "live: slope of memory over the last two thirds, MiB/min": rounded(
      slopePerMinute(samples.slice(third), ({ residentMiB }) => residentMiB),
    ),
    "live: memory, heap in use, heap held and outside of it after collecting garbage, MiB": collected.map(
      ({ residentMiB, heapMiB, heapTotalMiB, externalMiB }) =>
        [residentMiB, heapMiB, heapTotalMiB, externalMiB].map(rounded),
    ),
    "live: most memory while some did not read, MiB": rounded(mostWhileStalledMiB),
    "live: processors used by the server": rounded(((last?.cpuSeconds ?? 0) - (first?.cpuSeconds ?? 0)) / seconds),
    "live: longest event-loop delay p99, ms": rounded(Math.max(...samples.map((each) => each.eventLoopDelayMs))),
  };
}

function requireConsistent({ report }: LiveResult): void {
  if (report.foreign.length > 0)
    throw new Error(`a client received objects of another team: ${report.foreign.join("; ")}`);
  if (report.differences.length > 0) throw new Error(`a client has a wrong state: ${report.differences.join("; ")}`);
}

function rounded(value: number): number {
  return Number(value.toFixed(2));
}

function say(sentence: string): void {
  const load = rounded(loadavg()[0] ?? 0);
  loads.push(load);
  console.error(`${new Date().toISOString().slice(11, 19)} ${sentence} ... (load ${load})`);
}
