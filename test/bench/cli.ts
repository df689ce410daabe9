// How long short commands take: the built executable `butlerctl` compared with kubectl, which does the same. Runs
// alternate, so that whatever else the machine does meets both; `-- --rounds N` says how many there are.
import { execFile, spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs, promisify } from "node:util";
import { TenantCluster } from "@butler/api";
import { ensureTools } from "@butler/engine";
import { apiVersionOf } from "@butler/resource";
import { aTestCluster, type TestCluster } from "@butler/testkit";
import { printReport, quantile } from "./lib/report.ts";

const clusterCount = 200;
const writersAtOnce = 10;
const warmUps = 3;
const { values: flags } = parseArgs({ options: { rounds: { type: "string", default: "25" } } });
const rounds = Number(flags.rounds);

/** A command line, and how long its runs took, in milliseconds. */
interface Contender {
  readonly name: string;
  readonly words: readonly string[];
  readonly times: number[];
}

/** What controllers write of a cluster that is ready. */
const readyStatus = {
  phase: "Ready",
  observedGeneration: 1,
  workerNodesDesired: 2,
  workerNodesReady: 2,
  controlPlaneEndpoint: "10.40.1.100:6443",
  observedState: { kubernetesVersion: "v1.35.2" },
  conditions: ["Ready", "ControlPlaneReady", "WorkersReady", "NetworkReady"].map((type) => ({
    type,
    status: "True",
    reason: "AsWanted",
    message: "all healthy",
    lastTransitionTime: "2026-11-15T12:00:00Z",
  })),
};

const folder = await mkdtemp(join(tmpdir(), "butler-bench-cli-"));
let cluster: TestCluster | undefined;
try {
  say("building the executable");
  const buildTool = new URL("../../tools/build-cli.ts", import.meta.url).pathname;
  await promisify(execFile)(process.execPath, [buildTool, folder]);
  const { kubectl } = await ensureTools(["kubectl"]);
  const butlerctl = join(folder, "butlerctl");
  say("starting an API server and creating 200 clusters");
  cluster = await aTestCluster({ resources: [TenantCluster] });
  await makeClusters(cluster);
  const environment = { PATH: process.env["PATH"], HOME: folder, KUBECONFIG: cluster.controlPlane.kubeconfigPath };
  const contender = (name: string, ...words: string[]): Contender => ({ name, words, times: [] });
  const empty = contender("node, doing nothing", process.execPath, "-e", "0");
  const version = {
    ours: contender("version", butlerctl, "version", "--client"),
    baseline: contender("kubectl version", kubectl, "version", "--client"),
  };
  const list = {
    ours: contender("cluster list", butlerctl, "cluster", "list", "-A"),
    baseline: contender("kubectl get tenantclusters", kubectl, "get", "tenantclusters", "-A"),
  };
  const all = [empty, version.ours, version.baseline, list.ours, list.baseline];
  say(`running each ${rounds} times, in turn`);
  for (let round = 0; round < warmUps; round++) for (const each of all) timeOf(each, environment);
  for (let round = 0; round < rounds; round++) for (const each of all) each.times.push(timeOf(each, environment));
  const figure = (name: string, { ours, baseline }: { ours: Contender; baseline: Contender }) => ({
    name,
    unit: "ms",
    ours: quantile(ours.times, 0.5),
    baseline: quantile(baseline.times, 0.5),
    better: "lower" as const,
  });
  printReport(
    "cli",
    [
      figure("butlerctl version --client, p50, against kubectl version --client", version),
      figure("butlerctl cluster list of 200, p50, against kubectl get tenantclusters", list),
    ],
    {
      rounds,
      clusters: clusterCount,
      nodeAloneMs: Math.round(quantile(empty.times, 0.5)),
      fastestMs: Object.fromEntries(all.map(({ name, times }) => [name, Math.round(Math.min(...times))])),
      load: loadavg().map((value) => Number(value.toFixed(2))),
    },
  );
} finally {
  await cluster?.stop();
  await rm(folder, { recursive: true, force: true });
}

function say(text: string): void {
  console.error(`cli: ${text} ...`);
}

/** Runs a command line to its end. One that fails, or lists too little, would be quick for the wrong reason. */
function timeOf({ words: [program = "", ...args] }: Contender, env: NodeJS.ProcessEnv): number {
  const startedAt = performance.now();
  const { status, stdout, stderr } = spawnSync(program, args, { env, encoding: "utf8" });
  const milliseconds = performance.now() - startedAt;
  if (status !== 0) throw new Error(`${program} ${args.join(" ")} ended with ${status}: ${stderr}`);
  const isList = args.includes("-A");
  if (isList && stdout.trim().split("\n").length !== clusterCount + 1) throw new Error(`${program} did not list all`);
  return milliseconds;
}

async function makeClusters(made: TestCluster): Promise<void> {
  const { client } = made;
  const teams = ["payments", "search", "shipping", "web"];
  for (const team of teams) await made.createNamespace(team);
  const names = Array.from({ length: clusterCount }, (_each, number) => `cluster-${number}`);
  const writers = Array.from({ length: writersAtOnce }, async (_each, writer) => {
    for (let place = writer; place < names.length; place += writersAtOnce) {
      const metadata = { name: names[place] ?? "", namespace: teams[place % teams.length] ?? "" };
      const { spec } = TenantCluster.example as { spec: Record<string, unknown> };
      const object = { apiVersion: apiVersionOf(TenantCluster), kind: TenantCluster.kind, metadata, spec };
      await client.create(TenantCluster, object);
      await client.patch(TenantCluster, metadata, {
        type: "merge",
        patch: { status: readyStatus },
        subresource: "status",
      });
    }
  });
  await Promise.all(writers);
}
