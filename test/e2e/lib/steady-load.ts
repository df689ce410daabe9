import { eventually } from "@butler/testkit";
import { type PlainRequest, type Sender, sendersFor } from "./senders.ts";

/** What came of a load. */
export interface LoadReport {
  readonly sent: number;
  /** Every request without a good answer: when, how it was sent and what became of it. */
  readonly failures: readonly string[];
  readonly slowestMs: number;
  /** How many answers only asked to come again, as a server gives that is about to end. */
  readonly turnedAway: number;
  /** The names of ConfigMaps that were made, as the API server has confirmed. */
  readonly made: readonly string[];
}

const perSecond = 20;
/** A request without an answer by then has failed. */
const longestWaitMs = 10_000;
const configMaps = "/api/v1/namespaces/default/configmaps";

/**
 * A client that sends twenty requests a second, whatever became of those before: reads and writes, over new connections,
 * kept ones and one that is shared. Every fifth makes a ConfigMap. What fails is not tried again; what is turned away is,
 * and counted.
 */
export class SteadyLoad {
  readonly #senders: readonly (readonly [string, Sender])[];
  readonly #name: string;
  readonly #startedAt = performance.now();
  readonly #underWay = new Set<Promise<void>>();
  readonly #failures: string[] = [];
  readonly #made: string[] = [];
  readonly #timer: NodeJS.Timeout;
  #stopped: Promise<LoadReport> | undefined;
  #sent = 0;
  #slowestMs = 0;
  #turnedAway = 0;

  /** Begins at once. The name goes before that of each ConfigMap. */
  constructor(kubeconfig: string, name: string) {
    this.#senders = Object.entries(sendersFor(kubeconfig));
    this.#name = name;
    this.#timer = setInterval(() => this.#beat(), 1_000 / perSecond);
  }

  /** Settles when that many more requests have been sent. */
  async further(requests: number): Promise<void> {
    const enough = this.#sent + requests;
    await eventually(() => this.#sent >= enough, { what: `${requests} more requests` });
  }

  /** Ends the load when the last answer is there. */
  stop(): Promise<LoadReport> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<LoadReport> {
    clearInterval(this.#timer);
    await Promise.all(this.#underWay);
    await Promise.all(this.#senders.map(([, sender]) => sender.close()));
    const [sent, failures, made] = [this.#sent, this.#failures, this.#made];
    return { sent, failures, slowestMs: Math.round(this.#slowestMs), turnedAway: this.#turnedAway, made };
  }

  #beat(): void {
    const request = this.#send(this.#sent++).finally(() => this.#underWay.delete(request));
    this.#underWay.add(request);
  }

  async #send(number: number): Promise<void> {
    const [kind, sender] = this.#senders[number % this.#senders.length] ?? [];
    const name = `${this.#name}-${number}`;
    const isWrite = number % 5 === 0;
    const request = isWrite ? makeConfigMap(name) : readingOf(number);
    const startedAt = performance.now();
    try {
      const { status, turnedAway = 0 } = (await sender?.send(request, AbortSignal.timeout(longestWaitMs))) ?? {};
      this.#turnedAway += turnedAway;
      if (status !== (isWrite ? 201 : 200)) throw new Error(`status ${status}`);
      if (isWrite) this.#made.push(name);
    } catch (error) {
      const second = ((startedAt - this.#startedAt) / 1_000).toFixed(2);
      this.#failures.push(`${second} s: ${kind}, ${request.method} ${request.path}: ${describe(error)}`);
    }
    this.#slowestMs = Math.max(this.#slowestMs, performance.now() - startedAt);
  }
}

/** A node or a controller reads single objects, lists and what is served. */
function readingOf(number: number): PlainRequest {
  const paths = ["/api/v1/namespaces/default", `${configMaps}?limit=5`, "/livez", "/version"];
  return { method: "GET", path: paths[number % paths.length] ?? "" };
}

function makeConfigMap(name: string): PlainRequest {
  return { method: "POST", path: configMaps, body: JSON.stringify(configMapOf(name)) };
}

/** What is made: its text says which one it is. */
function configMapOf(name: string): object {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data: { text: `this is ${name}` } };
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = (error as NodeJS.ErrnoException).code;
  const cause = error.cause === undefined ? "" : ` (${describe(error.cause)})`;
  return `${code ?? error.name} ${error.message}${cause}`;
}
