import type { TenantObjectsInput } from "../objects/tenant-objects.ts";

/** The fields that a test sets; all others have arbitrary values. */
export function aTenantInput(change: Partial<TenantObjectsInput> = {}): TenantObjectsInput {
  return {
    clusterName: "blue",
    version: "v1.36.3",
    endpoint: { host: "blue.example.com", port: 6443 },
    caPem: "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n",
    clusterDomain: "cluster.local",
    serviceCidr: "10.96.0.0/16",
    podCidr: "10.244.0.0/16",
    ...change,
  };
}
