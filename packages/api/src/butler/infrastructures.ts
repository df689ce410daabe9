/** The infrastructures that a management cluster can be built on. */
export const infrastructures = ["harvester", "nutanix", "proxmox", "gcp", "aws", "azure"] as const;
