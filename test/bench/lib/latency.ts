import type { ApiClient } from "@butler/kube";
import { type BareApi, writeChildAndStatus } from "./bare.ts";
import { BareWidget, type BenchKind, namespaces, type Widget } from "./widget.ts";

export interface LatencyInput {
  readonly resource: BenchKind;
  readonly name: string;
  readonly rounds: number;
  /** The first number to write; each round must write one that was never written. */
  readonly from: number;
}

/**
 * From a change of a widget until the change of its child is observed: the delay for a user. Sequential, in
 * milliseconds.
 */
export async function measureLatencies(
  client: ApiClient,
  observer: BareApi,
  { resource, name, rounds, from }: LatencyInput,
): Promise<number[]> {
  const namespace = resource === BareWidget ? namespaces.bare : namespaces.ours;
  const arrivals = new Map<string, PromiseWithResolvers<number>>();
  const arrival = (size: string): PromiseWithResolvers<number> => {
    const known = arrivals.get(size) ?? Promise.withResolvers<number>();
    arrivals.set(size, known);
    return known;
  };
  const path = `/api/v1/namespaces/${namespace}/configmaps?watch=true&fieldSelector=metadata.name%3D${name}`;
  const stream = await observer.stream(path);
  const watching = (async () => {
    for await (const event of eventsOf(stream)) {
      const { data } = event.object as { data?: { size?: string } };
      arrival(data?.size ?? "").resolve(performance.now());
    }
  })().catch(() => undefined);
  const latencies: number[] = [];
  for (let round = 1; round <= rounds; round++) {
    const size = from + round;
    const startedAt = performance.now();
    await client.patch(resource, { namespace, name }, { type: "merge", patch: { spec: { size } } });
    latencies.push((await arrival(String(size)).promise) - startedAt);
  }
  (stream as unknown as { destroy(): void }).destroy();
  await watching;
  return latencies;
}

/** The baseline for reconciling widgets: a watch that makes the two writes for every spec change. */
export async function followBare(api: BareApi): Promise<() => Promise<void>> {
  const stream = await api.stream(
    `/apis/bench.butlerlabs.dev/v1alpha1/namespaces/${namespaces.bare}/barewidgets?watch=true`,
  );
  const following = (async () => {
    const handled = new Map<string, number | undefined>();
    for await (const event of eventsOf(stream)) {
      const widget = event.object as Widget;
      const { name, generation } = widget.metadata;
      if (handled.get(name) === generation) continue;
      handled.set(name, generation);
      if (event.type !== "ADDED") await writeChildAndStatus(api, widget);
    }
  })().catch(() => undefined);
  return async () => {
    (stream as unknown as { destroy(): void }).destroy();
    await following;
  };
}

async function* eventsOf(stream: AsyncIterable<Buffer>): AsyncGenerator<{ type: string; object: unknown }> {
  let rest = "";
  for await (const chunk of stream) {
    const lines = (rest + chunk.toString()).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield JSON.parse(line) as { type: string; object: unknown };
  }
}
