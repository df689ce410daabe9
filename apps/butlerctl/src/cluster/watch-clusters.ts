import { TenantCluster } from "@butler/api";
import { Informer, type InformerScope, type KubeClient, type StoreEvent } from "@butler/kube";
import type { ObjectKey } from "@butler/resource";

/** A cluster that has changed, or has gone. */
export type ClusterChange = StoreEvent<TenantCluster>;

/** What there is, and then each change of it as it comes about, until the signal aborts. */
export interface ClusterWatch {
  readonly initial: readonly TenantCluster[];
  readonly changes: AsyncIterable<ClusterChange>;
}

/** Opens a watch that survives whatever the network does. */
export async function watchClusters(
  client: KubeClient,
  scope: InformerScope,
  signal: AbortSignal,
): Promise<ClusterWatch> {
  const informer = new Informer(client, TenantCluster, scope);
  const waiting: ClusterChange[] = [];
  let wake: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
  void informer.run(signal);
  await Promise.race([informer.synced, ended]);
  const initial = informer.list();
  let isFirst = true;
  informer.addHandler((change) => {
    // The handler is told first of everything that is held already, which is in `initial`.
    if (isFirst) return;
    waiting.push(change);
    wake();
  });
  isFirst = false;
  async function* changes(): AsyncGenerator<ClusterChange> {
    while (!signal.aborted) {
      const next = waiting.shift();
      if (next !== undefined) {
        yield next;
        continue;
      }
      const woken = new Promise<void>((resolve) => {
        wake = resolve;
      });
      if (waiting.length === 0) await Promise.race([woken, ended]);
    }
  }
  return { initial, changes: changes() };
}

/** Each state of one cluster as it comes about; undefined once it is gone. */
export async function* observeCluster(
  client: KubeClient,
  { name, namespace }: ObjectKey,
  signal: AbortSignal,
): AsyncGenerator<TenantCluster | undefined> {
  const scope = { namespace, fieldSelector: `metadata.name=${name}` };
  const { initial, changes } = await watchClusters(client, scope, signal);
  yield initial[0];
  for await (const change of changes) yield change.type === "delete" ? undefined : change.object;
}
