import { ControllerRuntime, type Interceptor } from "@butler/controller";
import { type ApiClient, CacheSet } from "@butler/kube";
import { quickQueue, runControllers } from "@butler/testkit";
import { stewardControlPlaneController } from "../controller.ts";
import { createControlPlaneProviderPorts } from "../ports/control-plane-provider-ports.ts";

/** Runs the provider against an API server. */
export async function runProvider(client: ApiClient, { intercept }: { readonly intercept?: Interceptor } = {}) {
  const caches = new CacheSet(client);
  const runtime = new ControllerRuntime(stewardControlPlaneController, {
    client,
    caches,
    ports: createControlPlaneProviderPorts(client),
    queue: quickQueue,
    ...(intercept === undefined ? {} : { intercept }),
  });
  return { runtime, ...(await runControllers(caches, [runtime])) };
}
