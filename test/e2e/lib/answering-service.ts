import { connect } from "node:net";
import { sleep, systemClock } from "@butler/std";
import type { KubectlCalls } from "./kubectl-calls.ts";
import { talkativePod } from "./cluster-objects.ts";

const nodePort = 30_080;
const name = "web";
const checksBeforeUse = 3;

interface Node {
  readonly spec: { readonly unschedulable?: boolean };
  readonly status: {
    readonly addresses: readonly { readonly type: string; readonly address: string }[];
    readonly conditions: readonly { readonly type: string; readonly status: string }[];
  };
}

/** Two pods behind a Service, and a client that polls it continuously, like a load balancer with node health checks. */
export class AnsweringService {
  readonly #inside: KubectlCalls;
  readonly #over = new AbortController();
  readonly #failed: string[] = [];
  readonly #running: Promise<unknown>;
  #nodes: readonly string[] = [];
  readonly #goodChecks = new Map<string, number>();
  #answered = 0;

  private constructor(inside: KubectlCalls) {
    this.#inside = inside;
    this.#running = Promise.all([this.#lookAtNodes(), this.#ask()]);
  }

  /** Creates the Service in a cluster and starts polling once it responds. */
  static async start(inside: KubectlCalls): Promise<AnsweringService> {
    await inside.apply(objects());
    await inside.run("rollout", "status", `deployment/${name}`, "--timeout=120s");
    return new AnsweringService(inside);
  }

  /** Stops polling and returns the result. */
  async stop(): Promise<{ answered: number; failed: readonly string[] }> {
    this.#over.abort();
    await this.#running;
    return { answered: this.#answered, failed: this.#failed };
  }

  async #lookAtNodes(): Promise<void> {
    while (!this.#over.signal.aborted) {
      const { items } = JSON.parse(await this.#inside.run("get", "nodes", "-o", "json")) as { items: Node[] };
      const addresses = items.filter(isUsable).flatMap(({ status }) => {
        const internal = status.addresses.find(({ type }) => type === "InternalIP");
        return internal === undefined ? [] : [internal.address];
      });
      // An address may be reused by another node.
      for (const known of this.#goodChecks.keys()) if (!addresses.includes(known)) this.#goodChecks.delete(known);
      const isServing = await Promise.all(addresses.map((address) => this.#mayServe(address)));
      this.#nodes = addresses.filter((_address, at) => isServing[at]);
      await sleep(systemClock, 250, this.#over.signal).catch(() => undefined);
    }
  }

  /**
   * Load balancers send nothing to a new node before its port has answered a few times in a row: a kube-proxy that has
   * just started reports healthy before it has written its first rules. An accepted node is not checked again
   * this way, so that each later refusal counts as a failure.
   */
  async #mayServe(address: string): Promise<boolean> {
    if (!(await kubeProxyIsHealthy(address))) return false;
    const good = this.#goodChecks.get(address) ?? 0;
    if (good >= checksBeforeUse) return true;
    const answer = await hear(address, nodePort).catch(() => "");
    this.#goodChecks.set(address, answer.includes("hears") ? good + 1 : 0);
    return false;
  }

  async #ask(): Promise<void> {
    for (let turn = 0; !this.#over.signal.aborted; turn++) {
      await sleep(systemClock, 100, this.#over.signal).catch(() => undefined);
      const host = this.#nodes[turn % Math.max(1, this.#nodes.length)];
      if (host === undefined) continue;
      const answer = await hear(host, nodePort).catch((error: unknown) => `${host}: ${String(error)}`);
      if (answer.includes("hears")) this.#answered++;
      else this.#failed.push(`${new Date().toISOString()} ${answer}`);
    }
  }
}

function isUsable({ spec, status }: Node): boolean {
  const isReady = status.conditions.some(({ type, status: holds }) => type === "Ready" && holds === "True");
  return isReady && spec.unschedulable !== true;
}

/** The health check of load balancers before they send traffic to a node: whether its kube-proxy is up to date. */
async function kubeProxyIsHealthy(address: string): Promise<boolean> {
  const answer = await fetch(`http://${address}:10256/healthz`, { signal: AbortSignal.timeout(2_000) }).catch(
    () => undefined,
  );
  return answer?.status === 200;
}

/** Connects and returns what the server sends before it closes the connection. */
export function hear(host: string, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, timeout: 3_000 });
    let heard = "";
    socket.setEncoding("utf8");
    socket.on("data", (text) => (heard += String(text)));
    socket.on("timeout", () => socket.destroy(new Error("no answer in 3 s")));
    socket.on("error", reject);
    socket.on("close", () => resolve(heard));
  });
}

function objects(): object[] {
  const labels = { app: name };
  const { spec } = talkativePod(name, "") as { spec: { containers: object[]; nodeName?: string } };
  const { nodeName: _nodeName, containers, ...rest } = spec;
  // Time for kube-proxy on all nodes to observe the termination of the pod.
  const lifecycle = { preStop: { sleep: { seconds: 5 } } };
  return [
    {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name, namespace: "default" },
      spec: {
        replicas: 2,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: {
            ...rest,
            containers: containers.map((container) => ({ ...container, lifecycle })),
            terminationGracePeriodSeconds: 10,
          },
        },
      },
    },
    {
      apiVersion: "policy/v1",
      kind: "PodDisruptionBudget",
      metadata: { name, namespace: "default" },
      spec: { minAvailable: 1, selector: { matchLabels: labels } },
    },
    {
      apiVersion: "v1",
      kind: "Service",
      metadata: { name, namespace: "default" },
      spec: { type: "NodePort", selector: labels, ports: [{ port: 80, targetPort: 8080, nodePort }] },
    },
  ];
}
