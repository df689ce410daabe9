import { LocalCluster, LocalMachine, StewardControlPlane, TenantControlPlane } from "@butler/api";
import { bootstrapGroup, clusterNameLabel, clusterSecretType, kubeconfigSecretName } from "@butler/api-external";
import { AlreadyExists, type ApiClient, CacheSet, WorkQueue } from "@butler/kube";
import {
  builtinKinds,
  type DynamicObject,
  isBeingDeleted,
  keyOf,
  keyText,
  type Kind,
  type KubeObject,
  type ObjectKey,
  parseKeyText,
} from "@butler/resource";
import { NotFound } from "@butler/std";
import { tenantLabel, type TenantViews } from "./fleet-tenant-views.ts";

/** Annotation of the simulated Nodes that kwok manages. */
export const kwokAnnotation = { name: "kwok.x-k8s.io/node", value: "fake" } as const;

/** The kind of a worker of a tenant. */
export const Node: Kind = { group: "", version: "v1", kind: "Node", plural: "nodes", scope: "Cluster" };

const KubeadmConfig: Kind = {
  group: bootstrapGroup,
  version: "v1beta2",
  kind: "KubeadmConfig",
  plural: "kubeadmconfigs",
  scope: "Namespaced",
};

const finalizer = "fleet.example.com/played";
const workers = 16;
const port = 6443;

/** The two API servers, and how tenants are accessed. */
export interface PlayerOptions {
  readonly management: ApiClient;
  readonly tenants: ApiClient;
  readonly views: TenantViews;
}

type Step = (object: DynamicObject) => Promise<void>;

/**
 * Simulates components that are too heavy to run hundreds of times: Steward (kubeconfig Secret, endpoint,
 * TenantControlPlane with its add-ons, status), the bootstrap provider (an empty Secret) and the local provider (a
 * simulated Node instead of a pod). Each acts immediately, follows the order in Cluster API's contracts, and writes
 * about as often as the real one, so that the measurement covers Butler and Cluster API only.
 */
export class PlayedProviders {
  readonly #options: PlayerOptions;
  readonly #caches: CacheSet;
  readonly #stopping = new AbortController();
  readonly #queues: WorkQueue[] = [];
  readonly #running: Promise<void>[] = [];

  private constructor(options: PlayerOptions) {
    this.#options = options;
    this.#caches = new CacheSet(options.management);
  }

  /** Starts the simulation. */
  static async start(options: PlayerOptions): Promise<PlayedProviders> {
    const players = new PlayedProviders(options);
    const steps: readonly (readonly [Kind, Step])[] = [
      [StewardControlPlane, (object) => players.#serve(object as unknown as StewardControlPlane)],
      [KubeadmConfig, (object) => players.#bootstrap(object)],
      [LocalMachine, (object) => players.#run(object as unknown as LocalMachine)],
    ];
    for (const [kind] of steps) players.#caches.of(kind);
    await players.#caches.start(players.#stopping.signal);
    const queues = steps.map(([kind, step]) => players.#follow(kind, step));
    const machines = queues.at(-1);
    // A machine starts once it has its bootstrap data, which has the same name.
    players.#caches.of(KubeadmConfig).addHandler(({ object }) => machines?.add(keyText(keyOf(object))));
    return players;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    for (const queue of this.#queues) queue.close();
    await Promise.all([...this.#running, this.#caches.stopped()]);
  }

  #follow(kind: Kind, step: Step): WorkQueue {
    const cache = this.#caches.of(kind);
    const queue = new WorkQueue();
    this.#queues.push(queue);
    cache.addHandler(({ object }) => queue.add(keyText(keyOf(object))));
    const work = async (): Promise<void> => {
      for (let key = await queue.next(); key !== undefined; key = await queue.next()) {
        const object = cache.get(parseKeyText(key));
        try {
          if (object !== undefined) await step(object);
          queue.forget(key);
        } catch {
          queue.addAfterFailure(key);
        }
        queue.done(key);
      }
    };
    for (let at = 0; at < workers; at++) this.#running.push(work());
    return queue;
  }

  /** Steward: a serving control plane, and the infrastructure that waited for it. */
  async #serve(controlPlane: StewardControlPlane): Promise<void> {
    const { metadata, spec, status } = controlPlane;
    const { name, namespace = "", generation } = metadata;
    if (isBeingDeleted(controlPlane) || status?.observedGeneration === generation) return;
    const { management, views } = this.#options;
    const owned = { namespace, ownerReferences: [ownerOf(controlPlane)], labels: { [clusterNameLabel]: name } };
    await this.#make(builtinKinds.Secret, {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: kubeconfigSecretName(name), ...owned },
      type: clusterSecretType,
      data: { value: btoa(views.kubeconfig(namespace)) },
    });
    await this.#make(TenantControlPlane, {
      apiVersion: TenantControlPlane.apiVersion,
      kind: TenantControlPlane.kind,
      metadata: { name, ...owned },
      spec: {
        controlPlane: { deployment: { replicas: 1 }, service: { serviceType: "ClusterIP" } },
        kubernetes: { version: spec.version, kubelet: {} },
      },
    });
    const conditions = [played("AddonsReady")];
    await this.#report(TenantControlPlane, { name, namespace }, { conditions });
    if (spec.controlPlaneEndpoint?.host === undefined) {
      const patch = { spec: { controlPlaneEndpoint: { host: `${namespace}.example.com`, port } } };
      await management.patch(StewardControlPlane, metadata, { type: "merge", patch });
      // The spec change triggers another event, with the generation that the status must observe.
      return;
    }
    await this.#report(StewardControlPlane, metadata, {
      initialization: { controlPlaneInitialized: true },
      initialized: true,
      ready: true,
      ...countsOf(spec.replicas),
      version: spec.version,
      versions: [{ version: spec.version, replicas: spec.replicas }],
      externalManagedControlPlane: true,
      observedGeneration: generation,
      conditions: [played("Ready"), played("Available")],
    });
    await this.#report(LocalCluster, metadata, {
      initialization: { provisioned: true },
      conditions: [played("Ready")],
    });
  }

  /** The bootstrap provider: a simulated machine runs nothing. */
  async #bootstrap(config: DynamicObject): Promise<void> {
    const { name, namespace, labels = {}, generation } = config.metadata;
    const { dataSecretName } = (config["status"] ?? {}) as { dataSecretName?: string };
    if (isBeingDeleted(config) || dataSecretName !== undefined) return;
    await this.#make(builtinKinds.Secret, {
      apiVersion: "v1",
      kind: "Secret",
      metadata: {
        name,
        namespace,
        ownerReferences: [ownerOf(config)],
        labels: { [clusterNameLabel]: labels[clusterNameLabel] ?? "" },
      },
      type: clusterSecretType,
      data: { value: btoa("nothing"), format: btoa("cloud-config") },
    });
    await this.#report(KubeadmConfig, config.metadata, {
      initialization: { dataSecretCreated: true },
      dataSecretName: name,
      observedGeneration: generation,
      conditions: [played("Ready"), played("DataSecretAvailable")],
    });
  }

  /** The local provider: a simulated Node exists as long as its machine. */
  async #run(machine: LocalMachine): Promise<void> {
    const { metadata, status, spec } = machine;
    const { name, namespace = "", generation, finalizers = [] } = metadata;
    const { management, tenants } = this.#options;
    const hold = (kept: readonly string[]): Promise<unknown> =>
      management.patch(LocalMachine, metadata, { type: "merge", patch: { metadata: { finalizers: kept } } });
    if (isBeingDeleted(machine)) {
      await tenants.delete(Node, { name }).catch(unless(NotFound));
      if (finalizers.includes(finalizer))
        await hold(finalizers.filter((each) => each !== finalizer)).catch(unless(NotFound));
      return;
    }
    if (status?.initialization?.provisioned === true || !this.#hasBootstrapData(metadata)) return;
    if (!finalizers.includes(finalizer)) await hold([...finalizers, finalizer]);
    const providerID = `fleet://${namespace}/${name}`;
    if (spec.providerID === undefined) {
      await management.patch(LocalMachine, metadata, { type: "merge", patch: { spec: { providerID } } });
    }
    await tenants
      .create(Node, {
        apiVersion: "v1",
        kind: "Node",
        metadata: {
          name,
          labels: { [tenantLabel]: namespace },
          annotations: { [kwokAnnotation.name]: kwokAnnotation.value },
        },
        spec: { providerID },
      } as KubeObject)
      .catch(unless(AlreadyExists));
    await this.#report(LocalMachine, metadata, {
      initialization: { provisioned: true },
      addresses: [{ type: "Hostname", address: name }],
      observedGeneration: generation,
      conditions: [played("Ready")],
    });
  }

  #hasBootstrapData(key: ObjectKey): boolean {
    const { status } = (this.#caches.of(KubeadmConfig).get(key) ?? {}) as { status?: { dataSecretName?: string } };
    return status?.dataSecretName !== undefined;
  }

  async #make(kind: Kind, object: object): Promise<void> {
    await this.#options.management.create(kind, object as KubeObject).catch(unless(AlreadyExists));
  }

  async #report(kind: Kind, key: ObjectKey, status: object): Promise<void> {
    await this.#options.management.patch(kind, key, { type: "merge", subresource: "status", patch: { status } });
  }
}

function countsOf(replicas: number): Record<string, number> {
  const names = ["replicas", "readyReplicas", "availableReplicas", "upToDateReplicas", "updatedReplicas"];
  return { ...Object.fromEntries(names.map((name) => [name, replicas])), unavailableReplicas: 0 };
}

function played(type: string): object {
  return { type, status: "True", reason: "Played", message: "", lastTransitionTime: "2026-01-01T00:00:00Z" };
}

function ownerOf({ apiVersion, kind, metadata: { name, uid } }: KubeObject): object {
  return { apiVersion, kind, name, uid, controller: true };
}

/** Ignores an error that reports the desired state as already reached. */
export function unless(expected: typeof AlreadyExists | typeof NotFound): (error: unknown) => void {
  return (error) => {
    if (!(error instanceof expected)) throw error;
  };
}
