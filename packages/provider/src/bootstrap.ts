import type { ClusterInput, MachineProvider, PoolInput } from "./machine-provider.ts";
import { registrationOf } from "./node-registration.ts";
import { type BootstrapSpec, rockyBootstrap } from "./rocky.ts";

/** How the machines of a pool become nodes. */
export function bootstrapSpec(provider: MachineProvider, input: ClusterInput, pool: PoolInput): BootstrapSpec {
  const parts = provider.bootstrapParts(input, pool);
  if (!provider.imagesAreReady) return rockyBootstrap(input, pool, parts);
  return { joinConfiguration: { nodeRegistration: registrationOf(pool, parts.nodeRegistration) } };
}
