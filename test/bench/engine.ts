// How long a local engine takes from nothing running to a Ready node, compared with the same programs started by the
// shortest script that works; and what the engine costs when nothing happens. Needs root. With --cold also the time to
// build every program from source into an empty cache.
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { openSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { allTools, ensureTools, LocalEngine } from "@butler/engine";
import { eventually } from "@butler/testkit";
import { measureIdle } from "./lib/process-costs.ts";
import { printReport, quantile } from "./lib/report.ts";

interface StartedService {
  readonly command: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly name: string;
}

const rounds = 3;
const idleSeconds = 20;
const run = promisify(execFile);
const home = await mkdtemp(join(tmpdir(), "butler-engines-"));
const { kubectl } = await ensureTools(["kubectl"]);
const engine = new LocalEngine({ name: "bench", home });

try {
  console.error("preparing ...");
  await engine.up();
  const ours: number[] = [];
  const bare: number[] = [];
  for (let round = 1; round <= rounds; round++) {
    console.error(`round ${round} of ${rounds} ...`);
    await stopFresh();
    bare.push(await measureBare());
    ours.push(await measureUp());
  }
  console.error(`watching the idle engine for ${idleSeconds} s ...`);
  const pids = (await engine.state()).services.flatMap(({ process }) => process?.pid ?? []);
  const idle = await measureIdle(pids, idleSeconds);
  const cold = process.argv.includes("--cold") ? await measureColdBuild() : undefined;
  printReport(
    "engine",
    [
      {
        name: "nothing running to Ready node",
        unit: "s",
        ours: quantile(ours, 0.5),
        baseline: quantile(bare, 0.5),
        better: "lower",
      },
    ],
    {
      "idle CPU, cores": idle.cores,
      "idle memory, MiB": idle.memoryMiB,
      "cold build of all programs, minutes": cold ?? "not measured; run with --cold",
    },
  );
} finally {
  await engine.reset();
  await rm(home, { recursive: true, force: true });
}

/** Stops the engine in such a way that the node has to register again. */
async function stopFresh(): Promise<void> {
  await run(kubectl, ["--kubeconfig", engine.paths.kubeconfig, "delete", "node", "--all"]);
  await engine.down();
}

async function measureUp(): Promise<number> {
  const startedAt = performance.now();
  await engine.up();
  return (performance.now() - startedAt) / 1_000;
}

/** Starts the engine's own command lines by hand: all at once, then the node's once the API server answers. */
async function measureBare(): Promise<number> {
  const services = JSON.parse(await readFile(join(engine.paths.supervisor, "services.json"), "utf8")) as {
    services: StartedService[];
  };
  const log = openSync(join(home, "bare.log"), "a");
  const children: ChildProcess[] = [];
  const start = (names: readonly string[]): void => {
    for (const { name, command, args, environment } of services.services) {
      if (names.includes(name)) children.push(spawn(command, args, { env: environment, stdio: ["ignore", log, log] }));
    }
  };
  const startedAt = performance.now();
  start(["etcd", "containerd", "kube-apiserver"]);
  const ask = (...args: string[]) => run(kubectl, ["--kubeconfig", engine.paths.kubeconfig, ...args]);
  await eventually(() => ask("get", "--raw", "/readyz"), { timeoutMs: 60_000, intervalMs: 50 });
  start(["kubelet", "kube-controller-manager", "kube-scheduler", "kube-proxy"]);
  const isReady = async (): Promise<boolean> => {
    const path = "jsonpath={.items[*].status.conditions[?(@.type=='Ready')].status}";
    return (await ask("get", "nodes", "-o", path)).stdout === "True";
  };
  await eventually(isReady, { timeoutMs: 60_000, intervalMs: 50, what: "a Ready node" });
  const seconds = (performance.now() - startedAt) / 1_000;
  await ask("delete", "node", "--all");
  const ended = children.map((child) => new Promise((resolve) => child.once("close", resolve)));
  for (const child of children) child.kill("SIGKILL");
  await Promise.all(ended);
  return seconds;
}

async function measureColdBuild(): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), "butler-cold-"));
  try {
    const environment = {
      ...process.env,
      BUTLER_ENGINE_DIR: folder,
      GOCACHE: join(folder, "go"),
      BUTLER_ENGINE_SOURCES: "go",
    };
    const startedAt = performance.now();
    await ensureTools(allTools, { environment });
    return Number(((performance.now() - startedAt) / 60_000).toFixed(1));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
