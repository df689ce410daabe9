/** Infrastructure providers; `local` runs machines as pods in the management cluster. */
export const providerTypes = ["harvester", "nutanix", "proxmox", "azure", "aws", "gcp", "local"] as const;

/** One of the kinds of infrastructure. */
export type ProviderType = (typeof providerTypes)[number];
