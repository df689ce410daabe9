import { ControllerRuntime } from "@butler/controller";
import { CacheSet, type KubeClient } from "@butler/kube";
import type { Clock } from "@butler/std";
import { quickQueue, runControllers } from "@butler/testkit";
import { dataStoreController } from "../controller.ts";
import { createDataStorePorts } from "../ports.ts";
import { createStoreConnections } from "../store-connection.ts";

export interface RunningStoresOptions {
  readonly clock?: Clock;
  /** The time for one call to a store. */
  readonly callLimitMs?: number;
}

/** Runs the DataStore controller against an API server. */
export async function runDataStores(client: KubeClient, { clock, callLimitMs = 2_000 }: RunningStoresOptions = {}) {
  const caches = new CacheSet(client);
  const written: string[] = [];
  const connections = createStoreConnections({ client, admin: { callLimitMs }, ...(clock ? { clock } : {}) });
  const runtime = new ControllerRuntime(dataStoreController, {
    client,
    caches,
    ports: createDataStorePorts(client, connections, clock),
    ...(clock ? { clock } : {}),
    queue: quickQueue,
    intercept: async ({ verb, target }, run) => {
      const result = await run();
      written.push(`${verb} ${target}`);
      return result;
    },
  });
  const running = await runControllers(caches, [runtime]);
  return {
    runtime,
    connections,
    /** Everything that was done so far. */
    written,
    stop: async () => {
      await running.stop();
      connections.close();
    },
  };
}
