import type { ProviderType } from "@butler/api";
import type { Kind } from "@butler/resource";
import type { MachineProvider, OperatingSystem } from "./machine-provider.ts";

/** The operating systems that machines can run on each kind of infrastructure; unlisted ones are unsupported. */
export type SupportedSystems = Readonly<Partial<Record<ProviderType, readonly OperatingSystem[]>>>;

type Providers = readonly MachineProvider[];

/** The provider of a type; undefined when it is not supported yet. */
export function machineProviderOf(providers: Providers, type: ProviderType): MachineProvider | undefined {
  return providers.find((provider) => provider.type === type);
}

/** The operating systems of each provider. */
export function supportedSystems(providers: Providers): SupportedSystems {
  return Object.fromEntries(providers.map(({ type, operatingSystems }) => [type, operatingSystems]));
}

/** The kinds that tenant clusters are created from; an installation of Cluster API serves some of them. */
export function providerKinds(providers: Providers): readonly Kind[] {
  return providers.flatMap(({ clusterKind, machineTemplateKind }) => [clusterKind, machineTemplateKind]);
}

/** The resources that the infrastructure of a tenant cluster consists of, in alphabetical order. */
export function infrastructureResources(providers: Providers): readonly string[] {
  return providers
    .flatMap(({ clusterKind, machineKind, machineTemplateKind }) => [clusterKind, machineKind, machineTemplateKind])
    .map(({ plural }) => plural)
    .toSorted();
}
