import { readTenantKubeconfig } from "@butler/kube";
import { describeError } from "@butler/std";
import { Agent, request } from "undici";

/** Result of a load. */
export interface NewConnectionsReport {
  readonly sent: number;
  /** Every failed request: time, request and error. */
  readonly failures: readonly string[];
  readonly slowestMs: number;
  /** Names of created ConfigMaps, as acknowledged by the API server. */
  readonly made: readonly string[];
}

const perSecond = 5;
/** A request without a response within this time has failed. */
const longestWaitMs = 10_000;
const configMaps = "/api/v1/namespaces/default/configmaps";
const readings = ["/api/v1/namespaces/default", `${configMaps}?limit=5`, "/version", "/apis"];

/** Content of such a ConfigMap, with a unique text. */
export const textOf = (configMap: string): string => `this is ${configMap}`;

/**
 * A client that sends five requests a second, each over its own connection, independent of earlier ones; every fifth
 * creates a ConfigMap. Nothing is retried.
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

  /** Starts immediately. The name is the prefix of every ConfigMap. */
  constructor(kubeconfig: string, name: string) {
    const config = readTenantKubeconfig(kubeconfig);
    const [cluster, user] = [config.getCurrentCluster(), config.getCurrentUser()];
    const decoded = (text = ""): string => Buffer.from(text, "base64").toString();
    this.#origin = cluster?.server ?? "";
    this.#tls = { ca: decoded(cluster?.caData), cert: decoded(user?.certData), key: decoded(user?.keyData) };
    this.#name = name;
    this.#timer = setInterval(() => this.#beat(), 1_000 / perSecond);
  }

  /** Stops the load once the last response has arrived. */
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

/** Single objects, lists and discovery. No health checks: those report the state of one server, not of the service. */
function readingOf(number: number): string {
  return readings[number % readings.length] ?? "";
}

function configMapOf(name: string): object {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data: { text: textOf(name) } };
}
