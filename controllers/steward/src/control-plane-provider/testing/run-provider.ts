import { ControllerRuntime, type Interceptor } from "@butler/controller";
import { type ApiClient, CacheSet } from "@butler/kube";
import { stewardControlPlaneController } from "../controller.ts";
import { createControlPlaneProviderPorts } from "../ports/control-plane-provider-ports.ts";

/** Runs the provider against an API server. */
export async function runProvider(client: ApiClient, { intercept }: { readonly intercept?: Interceptor } = {}) {
  const stopping = new AbortController();
  const caches = new CacheSet(client);
  const runtime = new ControllerRuntime(stewardControlPlaneController, {
    client,
    caches,
    ports: createControlPlaneProviderPorts(client),
    queue: { backoff: { initialMs: 20, maximumMs: 500, factor: 2, jitter: 0.3 } },
    ...(intercept === undefined ? {} : { intercept }),
  });
  await caches.start(stopping.signal);
  const running = runtime.run(stopping.signal);
  return {
    runtime,
    /** Ends the controller without waiting for passes that hang, as a crash would. */
    kill: async () => {
      stopping.abort();
      await caches.stopped();
    },
    stop: async () => {
      stopping.abort();
      await Promise.all([running, caches.stopped()]);
    },
  };
}
