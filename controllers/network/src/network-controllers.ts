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

/** Everything that looks after addresses: pools, and those who claim of them. */
export function networkControllers({ servedKinds }: { readonly servedKinds: readonly Kind[] }) {
  return [networkPoolController({ servedKinds }), ipAllocationController] as const;
}

/** Kinds of others that the controllers look into where the API server knows them. */
export const optionalNetworkKinds: readonly Kind[] = optionalInfrastructureKinds;

/** What they run with. */
export interface NetworkControllerOptions extends Omit<RuntimeOptions<never>, "ports"> {
  /** Those of the optional kinds that the API server knows. */
  readonly servedKinds: readonly Kind[];
  /** How long a claim whose cluster is gone stays; 10 minutes when absent. */
  readonly orphanGraceMs?: number;
}

/** Makes them ready to run. */
export function startNetworkControllers(options: NetworkControllerOptions) {
  const { servedKinds, orphanGraceMs, metrics = new MetricsRegistry(), ...others } = options;
  const common = { ...others, metrics };
  const [pools, claims] = networkControllers({ servedKinds });
  followPools(common.caches, metrics);
  return [
    new ControllerRuntime(pools, { ...common, ports: createNetworkPoolPorts(common) }),
    new ControllerRuntime(claims, { ...common, ports: createIpAllocationPorts({ ...common, orphanGraceMs }) }),
  ] as const;
}
