/** Where machines can come from; `local` runs them as pods of the management cluster. */
export const providerTypes = ["harvester", "nutanix", "proxmox", "azure", "aws", "gcp", "local"] as const;

/** One of the kinds of infrastructure. */
export type ProviderType = (typeof providerTypes)[number];
