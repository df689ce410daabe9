import { Pod } from "@butler/api-external";
import type { Informer } from "@butler/kube";
import { builtinKinds, type DynamicObject, type Kind } from "@butler/resource";
import { eventually } from "@butler/testkit";
import { podProcesses, startedAgoSeconds } from "./pod-processes.ts";
import { type ApiServerReach, firstReady, isListening } from "./readiness.ts";

/** Seconds from the start to each step, in order. */
export type Timeline = Readonly<Record<string, number>>;

interface Step {
  readonly name: string;
  readonly kind: Kind;
  readonly isSeen: (object: DynamicObject) => boolean;
  /** Whether the last matching object counts, instead of the first. */
  readonly isLast?: boolean;
}

type ContainerStatus = { readonly name: string; readonly started?: boolean; readonly state?: { running?: object } };

interface PodStatus {
  readonly podIP?: string;
  readonly conditions?: readonly { type: string; status: string }[];
  readonly initContainerStatuses?: readonly ContainerStatus[];
  readonly containerStatuses?: readonly ContainerStatus[];
}

const kindOf = (group: string, kind: string, plural: string): Kind => {
  return { group, version: "v1", kind, plural, scope: "Namespaced" };
};

const statusOf = (pod: DynamicObject): PodStatus => pod["status"] ?? {};
const isRunning = ({ state }: ContainerStatus): boolean => state?.running !== undefined;

const steps: readonly Step[] = [
  { name: "Service", kind: kindOf("", "Service", "services"), isSeen: () => true },
  { name: "last Secret", kind: builtinKinds.Secret, isSeen: () => true, isLast: true },
  { name: "Deployment", kind: kindOf("apps", "Deployment", "deployments"), isSeen: () => true },
  { name: "pod", kind: Pod, isSeen: () => true },
  { name: "pod scheduled", kind: Pod, isSeen: (pod) => (pod["spec"] as { nodeName?: string }).nodeName !== undefined },
  {
    name: "startup probe passed",
    kind: Pod,
    isSeen: (pod) => statusOf(pod).initContainerStatuses?.every(({ started }) => started === true) === true,
  },
  {
    name: "all containers running",
    kind: Pod,
    isSeen: (pod) => statusOf(pod).containerStatuses?.every(isRunning) === true,
  },
  {
    name: "pod Ready",
    kind: Pod,
    isSeen: (pod) =>
      statusOf(pod).conditions?.some(({ type, status }) => type === "Ready" && status === "True") === true,
  },
  {
    name: "endpoint ready",
    kind: kindOf("discovery.k8s.io", "EndpointSlice", "endpointslices"),
    isSeen: (slice) =>
      ((slice["endpoints"] ?? []) as { conditions?: { ready?: boolean } }[]).some(
        ({ conditions }) => conditions?.ready === true,
      ),
  },
];

/** Records when each step of a tenant's creation is observed. No other tenant may be in the caches. */
export class CreationTimeline {
  readonly #startedAt = performance.now();
  readonly #marks = new Map<string, number>();
  readonly #unsubscribe: (() => void)[];
  #pod: DynamicObject | undefined;

  constructor(cacheOf: (kind: Kind) => Informer<Kind>) {
    this.#unsubscribe = steps.map((step) =>
      cacheOf(step.kind).addHandler((event) => {
        if (event.type === "delete") return;
        const { object } = event;
        if (step.kind === Pod) this.#pod = object;
        if (step.isSeen(object) && (event.type === "add" || step.isLast !== true)) this.#see(step);
      }),
    );
  }

  /** Records a step that was observed elsewhere. */
  mark(name: string, at = performance.now()): void {
    this.#marks.set(name, at);
  }

  /** Records when the pod's own API server listens and is ready, which the Service shows only later. */
  async followDirectly({ tls }: ApiServerReach): Promise<void> {
    const address = (): string | undefined => this.#pod && statusOf(this.#pod).podIP;
    const host = await eventually(address, { timeoutMs: 120_000, what: "the address of the pod" });
    const port = 6443;
    await eventually(() => isListening(host, port), { timeoutMs: 300_000, what: "a listening API server" });
    this.mark("listening");
    this.mark("ready in the pod", await firstReady({ origin: `https://${host}:${port}`, tls: { ...tls, servername } }));
  }

  /** All records, and the start time of the API server's process. */
  async finish(): Promise<Timeline> {
    const [process] = await podProcesses(this.#pod?.metadata.uid ?? "", "kube-apiserver");
    if (process !== undefined) {
      const ago = await startedAgoSeconds(process);
      this.mark("process started", performance.now() - ago * 1_000);
    }
    const sorted = [...this.#marks].sort(([, left], [, right]) => left - right);
    return Object.fromEntries(sorted.map(([name, at]) => [name, (at - this.#startedAt) / 1_000]));
  }

  close(): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
  }

  #see({ name, isLast = false }: Step): void {
    const isLate = isLast && this.#marks.has("Deployment");
    if (!isLate && (isLast || !this.#marks.has(name))) this.mark(name);
  }
}

/** A name in every tenant's certificate; the address of the pod is not in it. */
const servername = "kubernetes";
