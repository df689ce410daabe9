// 30 add-ons over three tenant clusters, from their objects to everything being ready, compared with a shell loop over
// `helm install --wait` of the same charts into the same clusters with as many at once. Needs root. Workloads have no
// pods, because a small machine is then busy with those and with nothing else; `-- --pods` gives each of them one.
import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { usualPlaces } from "@butler/addon-controllers";
import { engineImageNames, ensureTools } from "@butler/engine";
import { eventually } from "@butler/testkit";
import { AddonShelf } from "../e2e/lib/addon-shelf.ts";
import { EngineWithButler } from "../e2e/lib/engine-with-butler.ts";
import type { KubectlCalls } from "../e2e/lib/kubectl-calls.ts";
import { type AddonWish, TenantAddons } from "../e2e/lib/tenant-addons.ts";
import { printReport, quantile } from "./lib/report.ts";
import { samplesOf } from "./lib/write-counts.ts";

const rounds = 3;
const team = "demo-team";
const clusterNames = ["one", "two", "three"];
/** As many as the controller works on at once on this machine. */
const atOnce = usualPlaces.working;
/** Node records the time between two ticks of this length: without any delay it is this. */
const tickMs = 10;
const { coredns, pause } = engineImageNames();

const examplePlatform = fileURLToPath(new URL("../../examples/platform.yaml", import.meta.url));

const { values: flags } = parseArgs({ options: { pods: { type: "boolean", default: false } } });
const replicas = flags.pods ? 1 : 0;

/** Ten for each cluster: web servers, stateful sets and charts in charts. */
const wishes: readonly { readonly chart: string; readonly values: Record<string, unknown> }[] = [
  ...Array.from({ length: 6 }, () => ({
    chart: "web",
    values: { image: coredns, replicas, hook: { enabled: false } },
  })),
  ...Array.from({ length: 2 }, () => ({ chart: "stateful", values: { image: pause, replicas } })),
  ...Array.from({ length: 2 }, () => ({ chart: "umbrella", values: {} })),
];

interface Tenant {
  readonly name: string;
  readonly addons: TenantAddons;
  readonly inside: KubectlCalls;
  readonly kubeconfig: string;
}

interface Round {
  readonly ours: number;
  readonly loop: number;
  readonly delayP99Ms: number;
  readonly delayMostMs: number;
  /** The same of Steward, which has next to nothing to do meanwhile: what the machine alone costs. */
  readonly bystanderP99Ms: number;
  readonly processorSeconds: number;
}

const platform = await EngineWithButler.prepare("bench-addons");
const folder = await mkdtemp(join(tmpdir(), "butler-bench-addons-"));
let shelf: AddonShelf | undefined;
try {
  say("starting an engine and installing the platform");
  await platform.start();
  await giveUsualShare();
  shelf = await AddonShelf.open(await platform.nodeAddress());
  for (const chart of ["web", "stateful", "umbrella"] as const) await shelf.offer(chart, "1.0.0");
  say("creating three tenant clusters");
  const tenants = await makeTenants();
  const measured: Round[] = [];
  // The first finds nothing in any cache and is not counted.
  await measure(tenants, shelf.url, "warm");
  for (let round = 1; round <= rounds; round++) measured.push(await measure(tenants, shelf.url, `round-${round}`));
  const middle = (of: (round: Round) => number): number => quantile(measured.map(of), 0.5);
  printReport(
    "addons",
    [
      {
        name: "30 add-ons over 3 tenants until all are ready, p50",
        unit: "s",
        ours: middle(({ ours }) => ours),
        baseline: middle(({ loop }) => loop),
        better: "lower",
      },
      {
        name: "event-loop delay of the controller p99, against its limit",
        unit: "ms",
        ours: Math.max(...measured.map(({ delayP99Ms }) => delayP99Ms)),
        baseline: 50,
        better: "lower",
      },
    ],
    {
      "each, s": measured.map(({ ours }) => rounded(ours)),
      "shell loop, s": measured.map(({ loop }) => rounded(loop)),
      "longest event-loop delay, ms": measured.map(({ delayMostMs }) => rounded(delayMostMs)),
      "event-loop delay p99 of each round, ms": measured.map(({ delayP99Ms }) => rounded(delayP99Ms)),
      "event-loop delay p99 of a process without work, ms": measured.map(({ bystanderP99Ms }) =>
        rounded(bystanderP99Ms),
      ),
      "processor time of the controller, s": measured.map((round) => rounded(round.processorSeconds)),
      "pods of each workload": replicas,
      "at once": atOnce,
      "load average of the machine": rounded(loadavg()[0] ?? 0),
    },
  );
} finally {
  await shelf?.close();
  await platform.remove();
  await rm(folder, { recursive: true, force: true });
}

/** In an engine the controller asks for less of the processor than everywhere else; here it has what the chart says. */
async function giveUsualShare(): Promise<void> {
  const deployment = ["-n", "butler-system", "deployment/butler-controller"];
  await platform.kubectl.run("set", "resources", ...deployment, "--requests=cpu=500m");
  await platform.kubectl.run("rollout", "status", ...deployment, "--timeout=180s");
  // The new pod is ready before the node's rules lead to it.
  const trial = ["apply", "--dry-run=server", "-f", examplePlatform];
  const isAsked = (): Promise<boolean> =>
    platform.kubectl.run(...trial).then(
      () => true,
      () => false,
    );
  await eventually(isAsked, { timeoutMs: 60_000, intervalMs: 500, what: "the controller judging objects" });
}

async function makeTenants(): Promise<Tenant[]> {
  const clusters = await platform.exampleTeam();
  for (const name of clusterNames) await clusters.create(name);
  return Promise.all(
    clusterNames.map(async (name) => {
      await clusters.settled(name);
      const inside = await clusters.inside(name);
      const kubeconfig = join(folder, name);
      await writeFile(kubeconfig, await inside.run("config", "view", "--raw", "--flatten"), { mode: 0o600 });
      return {
        name,
        inside,
        kubeconfig,
        addons: new TenantAddons(platform.kubectl, { namespace: team, cluster: name }),
      };
    }),
  );
}

async function measure(tenants: readonly Tenant[], repository: string, name: string): Promise<Round> {
  say(`measuring ${name}`);
  const loop = await measureLoop(tenants, repository);
  // Reading it resets the delays.
  const before = processorSeconds(await metricsOf("controller"));
  await metricsOf("steward");
  const startedAt = performance.now();
  await Promise.all(tenants.map((tenant) => tenant.addons.enable(wishesFor(tenant, repository))));
  await eventually(async () => (await readyAddons()) === tenants.length * wishes.length, {
    timeoutMs: 600_000,
    intervalMs: 250,
    what: "all add-ons being ready",
  });
  const ours = seconds(startedAt);
  const [metrics, bystander] = [await metricsOf("controller"), await metricsOf("steward")];
  await platform.kubectl.run("delete", "tenantaddons", "--all", "-n", team, "--timeout=300s");
  const delayOf = (figure: string, from = metrics): number =>
    (samplesOf(from, `butler_nodejs_eventloop_lag_${figure}_seconds`)[0]?.value ?? Number.NaN) * 1_000 - tickMs;
  return {
    ours,
    loop,
    delayP99Ms: delayOf("p99"),
    delayMostMs: delayOf("max"),
    bystanderP99Ms: delayOf("p99", bystander),
    processorSeconds: processorSeconds(metrics) - before,
  };
}

/** Without that of helm, which are processes of their own. */
function processorSeconds(metrics: string): number {
  return samplesOf(metrics, "butler_process_cpu_seconds_total")[0]?.value ?? Number.NaN;
}

function wishesFor({ name }: Tenant, repository: string): Record<string, AddonWish> {
  const entries = wishes.map(({ chart, values }, at): [string, AddonWish] => [
    `${name}-${at}`,
    { helm: { repository, chart, namespace: `ours-${at}`, createNamespace: true }, version: "1.0.0", values },
  ]);
  return Object.fromEntries(entries);
}

async function readyAddons(): Promise<number> {
  const path = '{range .items[*]}{.status.phase}={.status.conditions[?(@.type=="Ready")].status} {end}';
  const conditions = await platform.kubectl.run("get", "tenantaddons", "-n", team, "-o", `jsonpath=${path}`);
  return conditions.split(" ").filter((each) => each === "Installed=True").length;
}

/** The same by hand: as many helms at once, in the same order, each waiting until what it made is ready. */
async function measureLoop(tenants: readonly Tenant[], repository: string): Promise<number> {
  const { helm } = await ensureTools(["helm"]);
  const lines = await Promise.all(
    wishes.flatMap(({ chart, values }, at) =>
      tenants.map(async ({ kubeconfig, name }) => {
        const file = join(folder, `${name}-${at}.json`);
        await writeFile(file, JSON.stringify(values));
        const where = `--kubeconfig=${kubeconfig} --namespace=loop-${at} --create-namespace`;
        return `install release-${at} ${chart} --repo=${repository} --version=1.0.0 --values=${file} ${where} --wait --timeout=10m`;
      }),
    ),
  );
  const startedAt = performance.now();
  await run("xargs", ["-P", String(atOnce), "-L", "1", helm], lines.join("\n"));
  const took = seconds(startedAt);
  await Promise.all(
    tenants.map(({ inside }) =>
      inside.run("delete", "namespaces", ...wishes.map((_wish, at) => `loop-${at}`), "--timeout=300s"),
    ),
  );
  return took;
}

function run(program: string, args: readonly string[], input: string): Promise<void> {
  const child = spawn(program, args, { stdio: ["pipe", "ignore", "inherit"] });
  child.stdin.end(input);
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => (code === 0 ? resolve() : reject(new Error(`${program} ended with ${String(code)}`))));
  });
}

async function metricsOf(role: string): Promise<string> {
  const pods = ["pods", "-n", "butler-system", "-l", `app.kubernetes.io/component=${role}`];
  const pod = await platform.kubectl.run("get", ...pods, "-o", "jsonpath={.items[0].metadata.name}");
  return platform.kubectl.run("get", "--raw", `/api/v1/namespaces/butler-system/pods/${pod}:8081/proxy/metrics`);
}

function seconds(since: number): number {
  return (performance.now() - since) / 1_000;
}

function rounded(value: number): number {
  return Number(value.toFixed(2));
}

function say(sentence: string): void {
  console.error(`${sentence} ... (load ${rounded(loadavg()[0] ?? 0)})`);
}
