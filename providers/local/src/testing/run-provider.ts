import { type ControllerDefinition, ControllerRuntime, type Effect, type Interceptor } from "@butler/controller";
import { type ApiClient, CacheSet } from "@butler/kube";
import type { Resource } from "@butler/resource";
import { quickQueue, runControllers } from "@butler/testkit";
import { localClusterController } from "../local-cluster/controller.ts";
import { localMachineController } from "../local-machine/controller.ts";
import type { ProbeAnswer } from "../ports/control-plane-probe.ts";
import { createLocalProviderPorts, type LocalProviderPorts } from "../ports/local-provider-ports.ts";

export interface RunProviderOptions {
  readonly intercept?: Interceptor;
  /** The response of every control plane; defaults to ready. */
  readonly answer?: () => ProbeAnswer;
  /** Which controllers run; defaults to both. */
  readonly only?: "local-cluster" | "local-machine";
}

/** Runs the provider against an API server. */
export async function runProvider(client: ApiClient, { intercept, answer, only }: RunProviderOptions = {}) {
  const caches = new CacheSet(client);
  const ports: LocalProviderPorts = {
    ...createLocalProviderPorts(client),
    controlPlaneProbe: () => Promise.resolve(answer?.() ?? { isReady: true }),
    // There is no tenant cluster here; the end-to-end tests cover real ones.
    writeToTenant: () => Promise.resolve(),
  };
  const start = <R extends Resource, Observed, E extends Effect>(
    definition: ControllerDefinition<R, Observed, E, LocalProviderPorts>,
  ) =>
    new ControllerRuntime(definition, {
      client,
      caches,
      ports,
      queue: quickQueue,
      ...(intercept === undefined ? {} : { intercept }),
    });
  const runtimes = {
    "local-cluster": only === "local-machine" ? undefined : start(localClusterController),
    "local-machine": only === "local-cluster" ? undefined : start(localMachineController),
  };
  const started = Object.values(runtimes).filter((runtime) => runtime !== undefined);
  return { runtimes, ...(await runControllers(caches, started)) };
}
