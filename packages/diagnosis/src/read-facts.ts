import { DataStore, ProviderConfig, StewardControlPlane, TenantCluster, TenantControlPlane } from "@butler/api";
import {
  Cluster,
  type ContainerStatus,
  type ContractReference,
  Machine,
  MachineDeployment,
  Pod,
} from "@butler/api-external";
import { type KubeClient, listAll, type ObjectFor, readPodLog, type Requests } from "@butler/kube";
import { builtinKinds, type DynamicObject, type Kind, kindId, keyText, type ObjectKey } from "@butler/resource";
import { describeError, Forbidden, isRecord, NotFound } from "@butler/std";
import { type ClusterFacts, providerKey, type Warning } from "./facts.ts";
import { InfrastructureReader } from "./infrastructure-reader.ts";

/** The client that reads the facts, with its permissions. */
export interface FactsSource {
  readonly client: Pick<KubeClient, "find" | "list">;
  /** For requests that are not about objects: container logs and API discovery. */
  readonly transport: Requests;
  readonly signal: AbortSignal;
}

/** Reads all facts about a cluster. What the user has no permission to read is left out and listed in `unreadable`. */
export async function readFacts(source: FactsSource, cluster: TenantCluster, now: Date): Promise<ClusterFacts> {
  const reader = new FactsReader(source);
  const { namespace = "" } = cluster.metadata;
  const inside = cluster.status?.tenantNamespace;
  const [provider, ownEvents, parts] = await Promise.all([
    reader.find(ProviderConfig, providerKey(cluster)),
    reader.list(builtinKinds.Event, namespace),
    readParts(reader, inside),
  ]);
  const ofCluster = ownEvents.filter((event) => isAbout(event, cluster));
  const { events, ...rest } = parts;
  return {
    now,
    cluster,
    provider,
    ...rest,
    warnings: warningsOf([...ofCluster, ...events]),
    unreadable: [...reader.unreadable].map(([what, why]) => ({ what, why })),
  };
}

type Parts = Omit<ClusterFacts, "now" | "cluster" | "provider" | "warnings" | "unreadable"> & {
  readonly events: readonly DynamicObject[];
};

async function readParts(reader: FactsReader, namespace: string | undefined): Promise<Parts> {
  const [clusters, controlPlanes, tenantControlPlanes, machineDeployments, machines, pods, events] = await Promise.all([
    reader.list(Cluster, namespace),
    reader.list(StewardControlPlane, namespace),
    reader.list(TenantControlPlane, namespace),
    reader.list(MachineDeployment, namespace),
    reader.list(Machine, namespace),
    reader.list(Pod, namespace),
    reader.list(builtinKinds.Event, namespace),
  ]);
  const typedMachines = machines as unknown as Machine[];
  const typedPods = pods as unknown as Pod[];
  const [tenantControlPlane] = tenantControlPlanes;
  const storeName = tenantControlPlane?.status?.storage?.dataStoreName ?? tenantControlPlane?.spec.dataStore;
  const [dataStore, ownNamespace, infrastructureMachines, lastWords] = await Promise.all([
    reader.find(DataStore, storeName === undefined ? undefined : { name: storeName }),
    reader.find(builtinKinds.Namespace, namespace === undefined ? undefined : { name: namespace }),
    reader.infrastructure(typedMachines),
    reader.lastWords(typedPods),
  ]);
  return {
    capiCluster: clusters[0],
    controlPlane: controlPlanes[0],
    tenantControlPlane,
    dataStore,
    namespace: ownNamespace,
    machineDeployments: machineDeployments as unknown as MachineDeployment[],
    machines: typedMachines,
    infrastructureMachines,
    pods: typedPods,
    lastWords,
    events,
  };
}

/** Reads what the client has permission to read, and records what it does not. */
class FactsReader {
  readonly unreadable = new Map<string, string>();
  readonly #source: FactsSource;

  constructor(source: FactsSource) {
    this.#source = source;
  }

  async list<K extends Kind>(kind: K, namespace: string | undefined): Promise<ObjectFor<K>[]> {
    if (namespace === undefined) return [];
    const found = await this.#attempt(`${kindId(kind)} in ${namespace}`, () => this.#all(kind, namespace));
    return (found ?? []).sort((left, right) => (left.metadata.name < right.metadata.name ? -1 : 1));
  }

  async #all<K extends Kind>(kind: K, namespace: string): Promise<ObjectFor<K>[]> {
    const { client, signal } = this.#source;
    const objects: ObjectFor<K>[] = [];
    for await (const object of listAll(client, kind, { namespace, signal })) objects.push(object);
    return objects;
  }

  async find<K extends Kind>(kind: K, key: ObjectKey | undefined): Promise<ObjectFor<K> | undefined> {
    if (key === undefined) return undefined;
    const { client, signal } = this.#source;
    return this.#attempt(`${kind.kind} ${keyText(key)}`, () => client.find(kind, key, signal));
  }

  async infrastructure(machines: readonly Machine[]): Promise<DynamicObject[]> {
    const kinds = new InfrastructureReader(this.#source);
    const found = await Promise.all(
      machines.map(async ({ spec, metadata }) => {
        const reference: ContractReference = spec.infrastructureRef;
        const kind = await this.#attempt(reference.kind, () => kinds.kindOf(reference));
        return kind && this.find(kind, { name: reference.name, namespace: metadata.namespace });
      }),
    );
    return found.filter((object) => object !== undefined);
  }

  async lastWords(pods: readonly Pod[]): Promise<Record<string, string>> {
    const crashed = pods.flatMap((pod) => crashedContainers(pod).map((container) => ({ pod, container })));
    const words = await Promise.all(
      crashed.map(async ({ pod, container }) => {
        const text = container.lastState?.terminated?.message ?? (await this.#log(pod, container.name));
        return [`${pod.metadata.name}/${container.name}`, lastLine(text)] as const;
      }),
    );
    return Object.fromEntries(words.filter(([, text]) => text !== ""));
  }

  async #log({ metadata: { name, namespace = "" } }: Pod, container: string): Promise<string> {
    const query = { container, previous: true, tailLines: 20, limitBytes: 8192 };
    try {
      const { signal, transport } = this.#source;
      return await readPodLog(transport, { name, namespace }, { ...query, signal });
    } catch {
      // Logs are lost with their node, and not every user may read them: report the rest without them.
      return "";
    }
  }

  async #attempt<T>(what: string, read: () => Promise<T>): Promise<T | undefined> {
    try {
      return await read();
    } catch (error) {
      // A kind that is not installed has no objects.
      if (error instanceof NotFound) return undefined;
      if (this.#source.signal.aborted) throw error;
      // One kind that cannot be read, for lack of permission or of a webhook, must not hide the others.
      this.unreadable.set(what, error instanceof Forbidden ? "permission denied" : describeError(error));
      return undefined;
    }
  }
}

function crashedContainers({ status }: Pod): ContainerStatus[] {
  return (status?.containerStatuses ?? []).filter(
    ({ ready, lastState }) => !ready && lastState?.terminated !== undefined,
  );
}

/** The last non-empty line, without its leading timestamp. */
export function lastLine(log: string): string {
  const line = log.trim().split("\n").at(-1) ?? "";
  return line.replace(/^[IWEF]\d{4} [\d:.]+\s+\d+ /, "").slice(0, 300);
}

function isAbout(event: DynamicObject, { metadata }: TenantCluster): boolean {
  const object = event["involvedObject"];
  return isRecord(object) && object["kind"] === TenantCluster.kind && object["name"] === metadata.name;
}

/** Events of type Warning, newest first. */
export function warningsOf(events: readonly DynamicObject[]): Warning[] {
  return events
    .filter((event) => event["type"] === "Warning")
    .map(warningOf)
    .sort((left, right) => (left.lastSeen < right.lastSeen ? 1 : -1));
}

function warningOf(event: DynamicObject): Warning {
  const object = isRecord(event["involvedObject"]) ? event["involvedObject"] : {};
  const text = (value: unknown): string => (typeof value === "string" ? value : "");
  const lastSeen = text(event["lastTimestamp"]) || text(event["eventTime"]) || event.metadata.creationTimestamp;
  return {
    reason: text(event["reason"]),
    message: text(event["message"]),
    object: { kind: text(object["kind"]), name: text(object["name"]) },
    count: typeof event["count"] === "number" ? event["count"] : 1,
    lastSeen: lastSeen ?? "",
  };
}
