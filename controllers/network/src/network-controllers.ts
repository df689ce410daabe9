import { ControllerRuntime, type RuntimeOptions } from "@butler/controller";
import type { Kind } from "@butler/resource";
import { MetricsRegistry } from "@butler/telemetry";
import { createIpAllocationPorts, ipAllocationController } from "./ip-allocation/index.ts";
import {
  createNetworkPoolPorts,
  followPools,
  networkPoolController,
  optionalInfrastructureKinds,
} from "./network-pool/index.ts";

/** All controllers that manage addresses. */
export const networkControllers = [networkPoolController, ipAllocationController] as const;

/** Optional kinds of other projects that the controllers read if the API server serves them. */
export const optionalNetworkKinds: readonly Kind[] = optionalInfrastructureKinds;

/** Options of the controllers. */
export interface NetworkControllerOptions extends Omit<RuntimeOptions<never>, "ports"> {
  /** Grace period of a claim whose cluster was deleted. Defaults to 10 minutes. */
  readonly orphanGraceMs?: number;
}

/** Creates the runtimes of both controllers. */
export function createNetworkControllers(options: NetworkControllerOptions) {
  const { orphanGraceMs, metrics = new MetricsRegistry(), ...others } = options;
  const common = { ...others, metrics };
  followPools(common.caches, metrics);
  return [
    new ControllerRuntime(networkPoolController, { ...common, ports: createNetworkPoolPorts(common) }),
    new ControllerRuntime(ipAllocationController, {
      ...common,
      ports: createIpAllocationPorts({ ...common, orphanGraceMs }),
    }),
  ] as const;
}
