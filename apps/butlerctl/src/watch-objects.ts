import { Informer, type InformerScope, type KubeClient, type ObjectFor, type StoreEvent } from "@butler/kube";
import type { Kind, ObjectKey } from "@butler/resource";

/** The current objects, then each change, until the signal aborts. */
export interface ObjectWatch<T> {
  readonly initial: readonly T[];
  readonly changes: AsyncIterable<StoreEvent<T>>;
}

/** What a watch is about. */
export interface WatchTarget<K extends Kind> {
  readonly kind: K;
  readonly scope: InformerScope;
}

/** Opens a watch that survives network failures. */
export async function watchObjects<K extends Kind>(
  client: KubeClient,
  { kind, scope }: WatchTarget<K>,
  signal: AbortSignal,
): Promise<ObjectWatch<ObjectFor<K>>> {
  const informer = new Informer(client, kind, scope);
  const waiting: StoreEvent<ObjectFor<K>>[] = [];
  let wake: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
  void informer.run(signal);
  await Promise.race([informer.synced, ended]);
  const initial = informer.list();
  let isFirst = true;
  informer.addHandler((change) => {
    // The handler first receives everything already cached, which is in `initial`.
    if (isFirst) return;
    waiting.push(change);
    wake();
  });
  isFirst = false;
  async function* changes(): AsyncGenerator<StoreEvent<ObjectFor<K>>> {
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

/** One object of a kind. */
export interface ObservedObject<K extends Kind> {
  readonly kind: K;
  readonly key: ObjectKey;
}

/** Each state of one object as it changes; undefined once it is deleted. */
export async function* observeObject<K extends Kind>(
  client: KubeClient,
  { kind, key: { name, namespace } }: ObservedObject<K>,
  signal: AbortSignal,
): AsyncGenerator<ObjectFor<K> | undefined> {
  const scope = { namespace, fieldSelector: `metadata.name=${name}` };
  const { initial, changes } = await watchObjects(client, { kind, scope }, signal);
  yield initial[0];
  for await (const change of changes) yield change.type === "delete" ? undefined : change.object;
}
