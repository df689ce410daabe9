// How long a hosted control plane takes from its creation to an API server that answers through its Service, compared
// with the same kube-apiserver started by hand against the same etcd; and what it costs: memory, API writes, processor
// time for keys. Needs root.
import { loadavg } from "node:os";
import { setTimeout as wait } from "node:timers/promises";
import type { BareApiServers } from "./lib/bare-api-servers.ts";
import type { Timeline } from "./lib/creation-timeline.ts";
import type { HostedTenants } from "./lib/hosted-tenants.ts";
import { keyCpuSeconds } from "./lib/key-costs.ts";
import { podMemory, type ProcessMemory } from "./lib/pod-processes.ts";
import { type Figure, printReport, quantile } from "./lib/report.ts";
import { StewardPlatform } from "./lib/steward-platform.ts";
import { added, type Counts, excessiveWrites } from "./lib/write-counts.ts";

const rounds = 5;
const batches = [5, 10] as const;
/** Programs read what they need once they are ready; what they hold then is what they go on holding. */
const restSeconds = 30;
const keyTenants = 10;
const programs = ["kube-apiserver", "kube-controller-manager", "kube-scheduler"] as const;

/** Of each program, the middle of all tenants; of the manager what there is. */
type Memory = Readonly<Record<string, Partial<ProcessMemory>>>;

/** What was measured of so many tenants at once. */
interface Batch {
  readonly count: number;
  readonly ours: readonly number[];
  readonly bare: readonly number[];
  /** Seconds from deletion to nothing left. */
  readonly gone: readonly number[];
  readonly memory: Memory;
}

interface Single extends Batch {
  readonly timelines: readonly Timeline[];
  /** Of each round. */
  readonly writes: readonly { readonly byKind: Counts; readonly own: number }[];
  readonly objects: Counts;
}

const loads: number[] = [];
const platform = await StewardPlatform.prepare("bench-steward");
try {
  say("starting an engine and installing the platform");
  const tenants = await platform.start();
  const managerAtRest = await platform.stewardMemoryMiB();
  const bare = await warmUp(tenants);
  const single = await measureSingle(tenants, bare);
  const several: Batch[] = [];
  for (const count of batches) several.push(await measureBatch(tenants, bare, count));
  const managerAfter = await platform.stewardMemoryMiB();
  say("making keys");
  const [ecdsa, rsa] = [await keyCpuSeconds("ECDSA-P256", keyTenants), await keyCpuSeconds("RSA-2048", keyTenants)];
  const excesses = single.writes.flatMap(({ byKind }) => excessiveWrites(byKind, single.objects));
  printReport(
    "steward",
    [
      ...[single, ...several].flatMap(figuresOf),
      {
        name: "keys of one tenant, ECDSA P-256 : RSA-2048",
        unit: "CPU s",
        ours: ecdsa,
        baseline: rsa,
        better: "lower",
      },
    ],
    {
      "seconds to each step, one tenant, p50": medianTimeline(single.timelines),
      "seconds from deletion to nothing left": Object.fromEntries(
        [single, ...several].map(({ count, gone }) => [count, gone.map(rounded)]),
      ),
      "seconds of each, ours": Object.fromEntries(
        [single, ...several].map(({ count, ours }) => [count, ours.map(rounded)]),
      ),
      "seconds of each, bare": Object.fromEntries(
        [single, ...several].map(({ count, bare: by }) => [count, by.map(rounded)]),
      ),
      "writes of Steward's per creation, each round": single.writes.map(summarize),
      "the most of them, by kind and verb": single.writes.toSorted((left, right) => total(right) - total(left))[0]
        ?.byKind,
      "objects of one tenant": single.objects,
      "written too often": excesses,
      "manager memory, MiB": { "without tenants": managerAtRest, "after all": managerAfter },
      [`memory of one tenant ${restSeconds} s after ready`]: single.memory,
      ...Object.fromEntries(several.map(({ count, memory }) => [`memory of each of ${count}, p50`, memory])),
      "load average of the machine, least and most": [Math.min(...loads), Math.max(...loads)],
    },
  );
  if (excesses.length > 0) throw new Error(`Steward made too many writes: ${excesses.join("; ")}`);
} finally {
  await platform.remove();
}

function say(sentence: string): void {
  const [load = 0] = loadavg();
  loads.push(rounded(load));
  console.error(`${sentence} ... (load ${rounded(load)})`);
}

function rounded(value: number): number {
  return Number(value.toFixed(2));
}

/** The first tenant finds nothing in any cache, so it is not counted; its command line is what is started by hand. */
async function warmUp(tenants: HostedTenants): Promise<BareApiServers> {
  say("warming up");
  await tenants.measure(["first"]);
  await tenants.ready(["first"]);
  const bare = await platform.bareLike(tenants, "first");
  await tenants.remove(["first"], () => platform.isStoreClean());
  await bare.measure(1);
  return bare;
}

async function measureSingle(tenants: HostedTenants, bare: BareApiServers): Promise<Single> {
  const measured = { ours: [] as number[], bare: [] as number[], gone: [] as number[] };
  const timelines: Timeline[] = [];
  const writes: Single["writes"][number][] = [];
  let objects: Counts = {};
  let memory: Memory = {};
  for (let round = 1; round <= rounds; round++) {
    say(`one tenant, round ${round} of ${rounds}`);
    const [name, isBareFirst] = [`one-${round}`, round % 2 === 1];
    if (isBareFirst) measured.bare.push(...(await bare.measure(1)));
    const before = await platform.settledWrites();
    const timeline = await tenants.measureSteps(name);
    measured.ours.push(timeline["ready through the Service"] ?? Number.NaN);
    timelines.push(timeline);
    console.error(
      JSON.stringify(Object.fromEntries(Object.entries(timeline).map(([step, at]) => [step, rounded(at)]))),
    );
    const after = await platform.settledWrites();
    writes.push({ byKind: added(before.byKind, after.byKind), own: after.own - before.own });
    objects = tenants.objects();
    if (round === rounds) {
      say(`letting ${name} rest for ${restSeconds} s`);
      await wait(restSeconds * 1_000);
      memory = await memoryOf(tenants, [name]);
    }
    measured.gone.push(await tenants.remove([name], () => platform.isStoreClean()));
    if (!isBareFirst) measured.bare.push(...(await bare.measure(1)));
  }
  return { count: 1, ...measured, timelines, writes, objects, memory };
}

async function measureBatch(tenants: HostedTenants, bare: BareApiServers, count: number): Promise<Batch> {
  say(`${count} at once`);
  const names = Array.from({ length: count }, (_, at) => `of-${count}-${at}`);
  const byHand = await bare.measure(count);
  const ours = await tenants.measure(names);
  await tenants.ready(names);
  const memory = await memoryOf(tenants, names);
  const gone = await tenants.remove(names, () => platform.isStoreClean());
  return { count, ours, bare: byHand, gone: [gone], memory };
}

async function memoryOf(tenants: HostedTenants, names: readonly string[]): Promise<Memory> {
  const uids = names.map((name) => tenants.pod(name)?.metadata.uid ?? "");
  const pods = await Promise.all(uids.map((uid) => podMemory(uid, programs)));
  const middle = (program: string, of: keyof ProcessMemory): number =>
    quantile(
      pods.map((pod) => pod[program]?.[of] ?? Number.NaN),
      0.5,
    );
  const entries = [...programs, "all"].map((program) => [
    program,
    { residentMiB: middle(program, "residentMiB"), proportionalMiB: middle(program, "proportionalMiB") },
  ]);
  return { ...(Object.fromEntries(entries) as Memory), manager: { residentMiB: await platform.stewardMemoryMiB() } };
}

function total({ byKind }: Single["writes"][number]): number {
  return Object.values(byKind).reduce((sum, count) => sum + count, 0);
}

/** Steward's own count has what it wrote inside of the tenant too. */
function summarize(writes: Single["writes"][number]): Record<string, number> {
  const management = total(writes);
  return { management, "inside of the tenant": writes.own - management };
}

function figuresOf({ count, ours, bare }: Batch): Figure[] {
  const what = count === 1 ? "create to /readyz, one" : `create to /readyz, ${count} at once`;
  const figure = (name: string, share: number): Figure => ({
    name: `${what}, ${name}`,
    unit: "s",
    ours: quantile(ours, share),
    baseline: quantile(bare, share),
    better: "lower",
  });
  return [figure("p50", 0.5), figure("max", 1)];
}

function medianTimeline(timelines: readonly Timeline[]): Record<string, number> {
  const names = new Set(timelines.flatMap((timeline) => Object.keys(timeline)));
  const medians = [...names].map((name) => {
    const seen = timelines.flatMap((timeline) => timeline[name] ?? []);
    return [name, rounded(quantile(seen, 0.5))] as const;
  });
  return Object.fromEntries(medians.sort(([, left], [, right]) => left - right));
}
