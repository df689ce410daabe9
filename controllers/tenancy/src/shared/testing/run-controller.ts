import { type ControllerDefinition, ControllerRuntime, type Effect, type Interceptor } from "@butler/controller";
import { CacheSet, type KubeClient } from "@butler/kube";
import type { Resource } from "@butler/resource";
import type { Clock } from "@butler/std";
import { quickQueue, runControllers } from "@butler/testkit";

interface RunOptions<Ports> {
  readonly ports: Ports;
  readonly clock?: Clock;
  readonly intercept?: Interceptor;
}

/** Runs one controller against an API server, and records its side effects. */
export async function runController<R extends Resource, Observed, E extends Effect, Ports>(
  client: KubeClient,
  definition: ControllerDefinition<R, Observed, E, Ports>,
  { ports, clock, intercept = (_effect, run) => run() }: RunOptions<Ports>,
) {
  const caches = new CacheSet(client);
  const written: string[] = [];
  const runtime = new ControllerRuntime(definition, {
    client,
    caches,
    ports,
    ...(clock === undefined ? {} : { clock }),
    queue: quickQueue,
    intercept: async (effect, run) => {
      const result = await intercept(effect, run);
      written.push(`${effect.verb} ${effect.target}`);
      return result;
    },
  });
  return { runtime, written, ...(await runControllers(caches, [runtime])) };
}
