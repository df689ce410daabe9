import { ControllerRuntime, type Interceptor, passThrough } from "@butler/controller";
import { CacheSet, type KubeClient } from "@butler/kube";
import type { Clock } from "@butler/std";
import { quickQueue, runControllers } from "@butler/testkit";
import { dataStoreController } from "../controller.ts";
import { createDataStorePorts } from "../ports.ts";
import { createStoreConnections } from "../store-connection.ts";

export interface RunningStoresOptions {
  readonly clock?: Clock;
  /** Timeout of one call to a store. */
  readonly callLimitMs?: number;
  /** Intercepts every side effect of the controller. */
  readonly intercept?: Interceptor;
}

/** Runs the DataStore controller against an API server. */
export async function runDataStores(
  client: KubeClient,
  { clock, callLimitMs = 2_000, intercept = passThrough }: RunningStoresOptions = {},
) {
  const caches = new CacheSet(client);
  const written: string[] = [];
  const connections = createStoreConnections({ client, admin: { callLimitMs }, ...(clock ? { clock } : {}) });
  const runtime = new ControllerRuntime(dataStoreController, {
    client,
    caches,
    ports: createDataStorePorts(client, connections, clock),
    ...(clock ? { clock } : {}),
    queue: quickQueue,
    intercept: async (effect, run) => {
      const result = await intercept(effect, run);
      written.push(`${effect.verb} ${effect.target}`);
      return result;
    },
  });
  const running = await runControllers(caches, [runtime]);
  return {
    runtime,
    connections,
    /** All side effects so far. */
    written,
    /** Stops it without waiting for running passes, as a crash would. */
    kill: async () => {
      await running.kill();
      connections.close();
    },
    stop: async () => {
      await running.stop();
      connections.close();
    },
  };
}
