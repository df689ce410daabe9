import { type ControllerDefinition, ControllerRuntime, type Effect, type Interceptor } from "@butler/controller";
import { type ApiClient, CacheSet } from "@butler/kube";
import type { Resource } from "@butler/resource";
import { localClusterController } from "../local-cluster/controller.ts";
import { localMachineController } from "../local-machine/controller.ts";
import type { ProbeAnswer } from "../ports/control-plane-probe.ts";
import { createLocalProviderPorts, type LocalProviderPorts } from "../ports/local-provider-ports.ts";

export interface RunProviderOptions {
  readonly intercept?: Interceptor;
  /** What every control plane answers; ready when left out. */
  readonly answer?: () => ProbeAnswer;
  /** Which controllers run; both when left out. */
  readonly only?: "local-cluster" | "local-machine";
}

/** Runs the provider against an API server. */
export async function runProvider(client: ApiClient, { intercept, answer, only }: RunProviderOptions = {}) {
  const stopping = new AbortController();
  const caches = new CacheSet(client);
  const ports: LocalProviderPorts = {
    ...createLocalProviderPorts(client),
    controlPlaneProbe: () => Promise.resolve(answer?.() ?? { isReady: true }),
    // There is no tenant's cluster here; with real ones the end-to-end tests deal.
    writeToTenant: () => Promise.resolve(),
  };
  const start = <R extends Resource, Observed, E extends Effect>(
    definition: ControllerDefinition<R, Observed, E, LocalProviderPorts>,
  ) =>
    new ControllerRuntime(definition, {
      client,
      caches,
      ports,
      queue: { backoff: { initialMs: 20, maximumMs: 500, factor: 2, jitter: 0.3 } },
      ...(intercept === undefined ? {} : { intercept }),
    });
  const runtimes = {
    "local-cluster": only === "local-machine" ? undefined : start(localClusterController),
    "local-machine": only === "local-cluster" ? undefined : start(localMachineController),
  };
  await caches.start(stopping.signal);
  const running = Object.values(runtimes).map((runtime) => runtime?.run(stopping.signal));
  return {
    runtimes,
    /** Ends the controllers without waiting for passes that hang, as a crash would. */
    kill: async () => {
      stopping.abort();
      await caches.stopped();
    },
    stop: async () => {
      stopping.abort();
      await Promise.all([...running, caches.stopped()]);
    },
  };
}
