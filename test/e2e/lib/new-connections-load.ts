import { readTenantKubeconfig } from "@butler/kube";
import { describeError } from "@butler/std";
import { Agent, request } from "undici";

/** What came of a load. */
export interface NewConnectionsReport {
  readonly sent: number;
  /** Every request without a good answer: when, which one and what became of it. */
  readonly failures: readonly string[];
  readonly slowestMs: number;
  /** The names of ConfigMaps that were made, as the API server has confirmed. */
  readonly made: readonly string[];
}

const perSecond = 5;
/** A request without an answer by then has failed. */
const longestWaitMs = 10_000;
const configMaps = "/api/v1/namespaces/default/configmaps";
const readings = ["/api/v1/namespaces/default", `${configMaps}?limit=5`, "/version", "/apis"];

/** What such a ConfigMap holds: its text says which one it is. */
export const textOf = (configMap: string): string => `this is ${configMap}`;

/**
 * A client that sends five requests a second, whatever became of those before, each over a connection of its own; every
 * fifth makes a ConfigMap. Nothing is sent twice, whatever the answer says.
 */
export class NewConnectionsLoad {
  readonly #origin: string;
  readonly #tls: { readonly ca: string; readonly cert: string; readonly key: string };
  readonly #name: string;
  readonly #startedAt = performance.now();
  readonly #underWay = new Set<Promise<void>>();
  readonly #failures: string[] = [];
  readonly #made: string[] = [];
  readonly #timer: NodeJS.Timeout;
  #sent = 0;
  #slowestMs = 0;

  /** Begins at once. The name goes before that of each ConfigMap. */
  constructor(kubeconfig: string, name: string) {
    const config = readTenantKubeconfig(kubeconfig);
    const [cluster, user] = [config.getCurrentCluster(), config.getCurrentUser()];
    const decoded = (text = ""): string => Buffer.from(text, "base64").toString();
    this.#origin = cluster?.server ?? "";
    this.#tls = { ca: decoded(cluster?.caData), cert: decoded(user?.certData), key: decoded(user?.keyData) };
    this.#name = name;
    this.#timer = setInterval(() => this.#beat(), 1_000 / perSecond);
  }

  /** Ends the load when the last answer is there. */
  async stop(): Promise<NewConnectionsReport> {
    clearInterval(this.#timer);
    await Promise.all(this.#underWay);
    const slowestMs = Math.round(this.#slowestMs);
    return { sent: this.#sent, failures: this.#failures, slowestMs, made: this.#made };
  }

  #beat(): void {
    const sending = this.#send(this.#sent++).finally(() => this.#underWay.delete(sending));
    this.#underWay.add(sending);
  }

  async #send(number: number): Promise<void> {
    const isWrite = number % 5 === 0;
    const [method, path] = isWrite ? (["POST", configMaps] as const) : (["GET", readingOf(number)] as const);
    const name = `${this.#name}-${number}`;
    const beganAt = performance.now();
    const agent = new Agent({ allowH2: false, connect: this.#tls });
    try {
      const answer = await request(`${this.#origin}${path}`, {
        dispatcher: agent,
        method,
        body: isWrite ? JSON.stringify(configMapOf(name)) : null,
        headers: { "content-type": "application/json", accept: "application/json" },
        signal: AbortSignal.timeout(longestWaitMs),
      });
      await answer.body.dump();
      if (answer.statusCode !== (isWrite ? 201 : 200)) throw new Error(`status ${answer.statusCode}`);
      if (isWrite) this.#made.push(name);
    } catch (error) {
      const second = ((beganAt - this.#startedAt) / 1_000).toFixed(2);
      this.#failures.push(`${second} s: ${method} ${path}: ${describeError(error)}`);
    } finally {
      await agent.close();
    }
    this.#slowestMs = Math.max(this.#slowestMs, performance.now() - beganAt);
  }
}

/** Single objects, lists and what is served. No path of a health check: those speak of one server, not of the service. */
function readingOf(number: number): string {
  return readings[number % readings.length] ?? "";
}

function configMapOf(name: string): object {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data: { text: textOf(name) } };
}
