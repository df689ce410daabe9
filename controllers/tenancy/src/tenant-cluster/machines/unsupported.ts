import type { OperatingSystem } from "./machine-provider.ts";

/**
 * Every planned kind of infrastructure, with the operating systems supported there today. vSphere
 * is listed although ProviderConfigs cannot use it yet.
 */
export const supportedPairs = {
  harvester: ["rocky"],
  nutanix: ["rocky"],
  proxmox: [],
  vsphere: [],
  azure: [],
  aws: [],
  gcp: [],
  local: ["rocky"],
} as const satisfies Readonly<Record<string, readonly OperatingSystem[]>>;

const pairs: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(supportedPairs));

/** Why an operating system is unsupported on a provider, as a sentence; undefined when it is supported. */
export function unsupportedPair(providerType: string, operatingSystem: string): string | undefined {
  const here = pairs.get(providerType) ?? [];
  if (here.includes(operatingSystem)) return undefined;
  if (here.length > 0) {
    const choice = listed(here);
    return `operating system "${operatingSystem}" is unsupported on provider ${providerType}; supported: ${choice}`;
  }
  const choice = listed([...pairs].filter(([, systems]) => systems.length > 0).map(([type]) => type));
  return `provider "${providerType}" is unsupported for tenant clusters; supported: ${choice}`;
}

function listed(words: readonly string[]): string {
  return words.toSorted().join(", ");
}
