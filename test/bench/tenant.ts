// How long a tenant cluster takes from its one object to Ready with two real nodes, compared with the sum of what
// cannot be left out: the same kube-apiserver started by hand, and two machines joined by hand. Needs root.
import { mkdtemp, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { TenantClusters } from "../e2e/lib/tenant-clusters.ts";
import { joinByHand } from "./lib/bare-machines.ts";
import type { BareApiServers } from "./lib/bare-api-servers.ts";
import { printReport, quantile } from "./lib/report.ts";
import { StewardPlatform } from "./lib/steward-platform.ts";

const rounds = 3;
const team = "demo-team";
const example = fileURLToPath(new URL("../../examples/platform.yaml", import.meta.url));

interface Round {
  readonly ours: number;
  readonly apiServer: number;
  readonly joined: number;
  readonly gone: number;
  readonly steps: Readonly<Record<string, number>>;
}

const platform = await StewardPlatform.prepare("bench-tenant");
const directory = await mkdtemp(join(tmpdir(), "butler-bench-tenant-"));
const loads: number[] = [];
try {
  say("starting an engine and installing the platform");
  const tenants = await platform.start();
  await tenants.measure(["first"]);
  await tenants.ready(["first"]);
  const bare = await platform.bareLike(tenants, "first");
  await tenants.remove(["first"], () => platform.isStoreClean());
  await platform.kubectl.run("apply", "-f", example);
  await platform.kubectl.run("wait", `team/${team}`, "--for=condition=Ready", "--timeout=60s");
  const clusters = new TenantClusters(platform.kubectl, { namespace: team, directory });
  // The first finds nothing in any cache and is not counted.
  await measure(clusters, bare, "warm");
  const measured: Round[] = [];
  for (let round = 1; round <= rounds; round++) measured.push(await measure(clusters, bare, `round-${round}`));
  const middle = (of: (round: Round) => number): number => quantile(measured.map(of), 0.5);
  printReport(
    "tenant",
    [
      {
        name: "object to Ready with two nodes, p50",
        unit: "s",
        ours: middle(({ ours }) => ours),
        baseline: middle(({ apiServer, joined }) => apiServer + joined),
        better: "lower",
      },
    ],
    {
      "bare kube-apiserver, s": measured.map(({ apiServer }) => rounded(apiServer)),
      "two machines joined by hand, s": measured.map(({ joined }) => rounded(joined)),
      "each, s": measured.map(({ ours }) => rounded(ours)),
      "steps of each, s": measured.map(({ steps }) => steps),
      "deletion to nothing left, s": measured.map(({ gone }) => rounded(gone)),
      "load average of the machine, least and most": [Math.min(...loads), Math.max(...loads)],
    },
  );
} finally {
  await platform.remove();
  await rm(directory, { recursive: true, force: true });
}

async function measure(clusters: TenantClusters, bare: BareApiServers, name: string): Promise<Round> {
  say(`measuring ${name}`);
  const [apiServer = Number.NaN] = await bare.measure(1);
  const startedAt = performance.now();
  await clusters.create(name, { replicas: 2 });
  const { status } = await clusters.settled(name);
  const ours = seconds(startedAt);
  const namespace = status?.tenantNamespace ?? "";
  const [like = ""] = status?.observedState?.workers?.nodes ?? [];
  const inside = await clusters.inside(name);
  const joined = await joinByHand({ management: platform.kubectl, inside, namespace, like }, [
    "by-hand-1",
    "by-hand-2",
  ]);
  const deletedAt = performance.now();
  await platform.kubectl.run("delete", "tenantcluster", name, "-n", team, "--timeout=180s");
  const steps = (status?.steps ?? []).map(({ name: step, startedAt: began, finishedAt }) => [
    step,
    rounded((Date.parse(finishedAt ?? "") - Date.parse(began)) / 1_000),
  ]);
  return { ours, apiServer, joined, gone: seconds(deletedAt), steps: Object.fromEntries(steps) as Round["steps"] };
}

function seconds(since: number): number {
  return (performance.now() - since) / 1_000;
}

function rounded(value: number): number {
  return Number(value.toFixed(2));
}

function say(sentence: string): void {
  const [load = 0] = loadavg();
  loads.push(rounded(load));
  console.error(`${sentence} ... (load ${rounded(load)})`);
}
