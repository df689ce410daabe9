import type { TenantCluster } from "@butler/api";
import { boundedClient, Informer, type KubeClient, tenantReadLimits } from "@butler/kube";
import { builtinKinds, keyOf, keyText, type ObjectKey } from "@butler/resource";
import { type Clock, describeError, sleep } from "@butler/std";
import type { Logger } from "@butler/telemetry";
import { kubeconfigKey } from "../handlers/cluster-details.ts";
import { showNode } from "@butler/diagnosis";
import type { ChannelLog } from "./channel-log.ts";
import { LiveItem } from "./live-item.ts";

/** Options of the node watches. */
export interface NodeWatchOptions {
  readonly log: ChannelLog;
  readonly tenants: { clientFor(key: ObjectKey, signal: AbortSignal): Promise<KubeClient> };
  readonly clusterAt: (key: ObjectKey) => TenantCluster | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

interface Watch {
  users: number;
  readonly over: AbortController;
}

const retryMs = 5_000;
/** Small, because a tenant may make each node as large as its API server allows. */
const pageSize = 100;

/** Watches the nodes of clusters with subscribers, once per cluster, and only while there are subscribers. */
export class NodeWatches {
  readonly #options: NodeWatchOptions;
  readonly #watches = new Map<string, Watch>();

  constructor(options: NodeWatchOptions) {
    this.#options = options;
  }

  /** Starts to watch; returns a function that stops it. */
  follow(cluster: TenantCluster): () => void {
    const key = keyOf(cluster);
    const id = keyText(key);
    const watch = this.#watches.get(id) ?? this.#start(key);
    watch.users++;
    let isFollowed = true;
    return () => {
      if (!isFollowed) return;
      isFollowed = false;
      watch.users--;
      if (watch.users === 0) this.#stop(id, watch);
    };
  }

  /** A cluster moved to another team or was deleted: update its nodes. */
  refresh(key: ObjectKey): void {
    if (!this.#watches.has(keyText(key))) return;
    const { log, clusterAt } = this.#options;
    const team = clusterAt(key)?.spec.teamRef?.name;
    for (const item of this.#itemsOf(keyText(key))) if (item.team !== team) log.put(item.inTeam(team));
  }

  close(): void {
    for (const [id, watch] of this.#watches) this.#stop(id, watch);
  }

  #start(key: ObjectKey): Watch {
    const watch: Watch = { users: 0, over: new AbortController() };
    this.#watches.set(keyText(key), watch);
    void this.#run(key, watch.over.signal);
    return watch;
  }

  #stop(id: string, watch: Watch): void {
    watch.over.abort();
    this.#watches.delete(id);
    for (const item of this.#itemsOf(id)) this.#options.log.remove(item.key);
  }

  #itemsOf(id: string): LiveItem[] {
    const all = [...this.#options.log.values()];
    return all.filter(({ namespace, cluster = "" }) => keyText({ namespace, name: cluster }) === id);
  }

  async #run(key: ObjectKey, signal: AbortSignal): Promise<void> {
    const { clock, logger } = this.#options;
    while (!signal.aborted) {
      try {
        await this.#watch(key, signal);
      } catch (error) {
        if (!signal.aborted) logger.warn("failed to watch nodes", { cluster: key, error: describeError(error) });
      }
      await sleep(clock, retryMs, signal).catch(() => undefined);
    }
  }

  async #watch(key: ObjectKey, signal: AbortSignal): Promise<void> {
    const { tenants, clusterAt, log, logger } = this.#options;
    const cluster = clusterAt(key);
    if (cluster === undefined) return;
    const client = await tenants.clientFor(kubeconfigKey(cluster), signal);
    const bounded = boundedClient(client, { limits: tenantReadLimits, held: () => nodes.size });
    const nodes: Informer<typeof builtinKinds.Node> = new Informer(bounded, builtinKinds.Node, { logger, pageSize });
    nodes.addHandler(({ type, object }) => {
      if (signal.aborted) return;
      const itemKey = `${key.namespace}/${key.name}/${object.metadata.name}`;
      if (type === "delete") return log.remove(itemKey);
      const { namespace, name } = key;
      const team = clusterAt(key)?.spec.teamRef?.name;
      log.put(new LiveItem({ key: itemKey, team, namespace, cluster: name }, () => showNode(object)));
    });
    await nodes.run(signal);
  }
}
