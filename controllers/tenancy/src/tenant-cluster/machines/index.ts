import type { ProviderType } from "@butler/api";
import type { KubeadmConfigTemplate } from "@butler/api-external";
import { harvesterProvider } from "./harvester/index.ts";
import { localProvider } from "./local.ts";
import type { ClusterInput, MachineProvider, OperatingSystem, PoolInput } from "./machine-provider.ts";
import { registrationOf } from "./node-registration.ts";
import { nutanixProvider } from "./nutanix/index.ts";
import { rockyBootstrap } from "./rocky.ts";

export type { ClusterInput, MachineProvider, PoolInput } from "./machine-provider.ts";

type BootstrapSpec = NonNullable<NonNullable<KubeadmConfigTemplate["spec"]>["template"]["spec"]>;

/** Every supported kind of infrastructure. */
export const machineProviders: readonly MachineProvider[] = [localProvider, harvesterProvider, nutanixProvider];

/** The operating systems that machines can run, by the kind of infrastructure. */
export const supportedSystems = Object.fromEntries(
  machineProviders.map(({ type, operatingSystems }) => [type, operatingSystems]),
) as Partial<Record<ProviderType, readonly OperatingSystem[]>>;

/** The provider of a type; undefined when it is not supported yet. */
export function machineProviderOf(type: ProviderType): MachineProvider | undefined {
  return machineProviders.find((provider) => provider.type === type);
}

/** How the machines of a pool become nodes. */
export function bootstrapSpec(provider: MachineProvider, input: ClusterInput, pool: PoolInput): BootstrapSpec {
  const parts = provider.bootstrapParts(input, pool);
  if (!provider.imagesAreReady) return rockyBootstrap(input, pool, parts);
  return { joinConfiguration: { nodeRegistration: registrationOf(pool, parts.nodeRegistration) } };
}
