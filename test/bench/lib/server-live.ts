import { type ChildProcess, fork } from "node:child_process";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { ApiClient } from "@butler/kube";
import { type FleetSize, peopleOf } from "./server-fleet.ts";
import type { ClientsAnswer, ClientsCommand, ClientsReport } from "./server-live-protocol.ts";
import type { ServerSample, ServerHarness } from "./server-harness.ts";
import { FleetWriter, type WriteResult } from "./server-writer.ts";

/** Settings of the measurement. */
export interface LiveOptions {
  readonly client: ApiClient;
  readonly size: FleetSize;
  readonly clients: number;
  readonly changesPerSecond: number;
  readonly seconds: number;
  readonly say: (sentence: string) => void;
}

/** Result. */
export interface LiveResult {
  readonly connectSeconds: number;
  readonly report: ClientsReport;
  readonly written: WriteResult;
  readonly samples: readonly ServerSample[];
  /** After garbage collection: before the changes, after each third of them, and at the end. */
  readonly collected: readonly ServerSample[];
  readonly mostWhileStalledMiB: number;
}

const warmUpSeconds = 10;
const stallMs = 20_000;
const sampleEveryMs = 1_000;
const settleMs = 60_000;

/**
 * Connects all clients, makes changes at a steady rate while some clients do not read, and compares the final states.
 */
export async function measureLive(harness: ServerHarness, options: LiveOptions): Promise<LiveResult> {
  const { client, size, seconds, changesPerSecond: perSecond, say } = options;
  const people = peopleOf(size);
  const clients = new ClientsProcess();
  try {
    const clientsPerPerson = options.clients / people.length;
    const { url, ca } = harness;
    const connected = await clients.ask({
      type: "connect",
      plan: { url, ca, people, clientsPerPerson, clientsWithMore: 2 },
    });
    if (connected.type !== "connected") throw new Error("the clients did not connect");
    say(`${options.clients} clients are connected; changing ${perSecond} objects a second`);
    const writer = new FleetWriter(client, size);
    await writer.run({ perSecond, seconds: warmUpSeconds });
    const collected = [await harness.sampleCollected()];
    const sampler = new Sampler(harness);
    clients.tell({ type: "stall", milliseconds: stallMs });
    const parts: WriteResult[] = [];
    for (let third = 1; third <= 3; third++) {
      parts.push(await writer.run({ perSecond, seconds: seconds / 3 }));
      if (third < 3) collected.push(await harness.sampleCollected());
    }
    const samples = await sampler.stop();
    // Clients that stall for longer than the changes took must resume first.
    if (seconds * 1_000 < stallMs) await wait(stallMs - seconds * 1_000);
    say("comparing the state of all clients");
    const settled = await clients.ask({ type: "settle", final: await writer.final(), timeoutMs: settleMs });
    if (settled.type !== "settled") throw new Error("the clients did not settle");
    collected.push(await harness.sampleCollected());
    const [first] = samples;
    const stalled = samples.filter(({ atMs }) => atMs - (first?.atMs ?? 0) < stallMs);
    return {
      connectSeconds: connected.seconds,
      report: settled.report,
      written: sumOf(parts),
      samples,
      collected,
      mostWhileStalledMiB: Math.max(...stalled.map(({ residentMiB }) => residentMiB)),
    };
  } finally {
    await clients.stop();
  }
}

function sumOf(parts: readonly WriteResult[]): WriteResult {
  const writes = parts.reduce((sum, part) => sum + part.writes, 0);
  const seconds = parts.reduce((sum, part) => sum + part.writes / part.perSecond, 0);
  const [failures, tookMs] = [parts.flatMap((part) => part.failures), parts.flatMap((part) => part.tookMs)];
  return { writes, perSecond: writes / seconds, failures, tookMs };
}

/** Memory growth per minute: the slope of the regression line. */
export function slopePerMinute(samples: readonly ServerSample[], of: (sample: ServerSample) => number): number {
  const minutes = samples.map(({ atMs }) => atMs / 60_000);
  const values = samples.map(of);
  const mean = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0) / numbers.length;
  const [middleMinute, middleValue] = [mean(minutes), mean(values)];
  const spread = minutes.reduce((sum, minute) => sum + (minute - middleMinute) ** 2, 0);
  const common = minutes.reduce(
    (sum, minute, at) => sum + (minute - middleMinute) * ((values[at] ?? 0) - middleValue),
    0,
  );
  return common / spread;
}

/** Samples the server once a second. */
class Sampler {
  readonly #samples: ServerSample[] = [];
  readonly #over = new AbortController();
  readonly #running: Promise<void>;

  constructor(harness: ServerHarness) {
    this.#running = this.#run(harness);
  }

  async stop(): Promise<readonly ServerSample[]> {
    this.#over.abort();
    await this.#running;
    return this.#samples;
  }

  async #run(harness: ServerHarness): Promise<void> {
    while (!this.#over.signal.aborted) {
      this.#samples.push(await harness.sample());
      await wait(sampleEveryMs, undefined, { signal: this.#over.signal }).catch(() => undefined);
    }
  }
}

/** The process with all clients. */
class ClientsProcess {
  readonly #child: ChildProcess;

  constructor() {
    const file = join(dirname(fileURLToPath(import.meta.url)), "server-live-clients.ts");
    this.#child = fork(file, {
      execArgv: ["--max-old-space-size=4096"],
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
  }

  tell(command: ClientsCommand): void {
    this.#child.send(command);
  }

  ask(command: ClientsCommand): Promise<ClientsAnswer> {
    return new Promise((resolve, reject) => {
      const onExit = (): void => reject(new Error("the process with the clients has ended"));
      this.#child.once("exit", onExit);
      this.#child.once("message", (answer: ClientsAnswer) => {
        this.#child.off("exit", onExit);
        if (answer.type === "failed") reject(new Error(answer.message));
        else resolve(answer);
      });
      this.tell(command);
    });
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const ended = new Promise((resolve) => this.#child.once("exit", resolve));
    this.#child.kill();
    await ended;
  }
}
