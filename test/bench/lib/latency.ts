import type { ApiClient } from "@butler/kube";
import { applyChild, type BareApi } from "./bare.ts";
import { childOf, Widget } from "./widget.ts";

/** From a change of a widget to its child's change being seen: what a user waits for. Sequential, in milliseconds. */
export async function measureLatencies(
  client: ApiClient,
  observer: BareApi,
  { namespace, name, rounds }: { namespace: string; name: string; rounds: number },
): Promise<number[]> {
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
    const size = 1_000 + round;
    const startedAt = performance.now();
    await client.patch(Widget, { namespace, name }, { type: "merge", patch: { spec: { size } } });
    latencies.push((await arrival(String(size)).promise) - startedAt);
  }
  (stream as unknown as { destroy(): void }).destroy();
  await watching;
  return latencies;
}

/** The bare way to follow widgets: a watch whose every event is answered by applying the child. */
export async function followBare(api: BareApi, namespace: string): Promise<() => Promise<void>> {
  const stream = await api.stream(`/apis/bench.butlerlabs.dev/v1alpha1/namespaces/${namespace}/widgets?watch=true`);
  const following = (async () => {
    for await (const event of eventsOf(stream)) await applyChild(api, childOf(event.object as Widget));
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
