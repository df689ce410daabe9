import { isIP } from "node:net";
import type { TenantControlPlane } from "@butler/api";
import { addressInRange } from "@butler/std";
import type { KnownEndpoint } from "./announced-endpoint.ts";

/** Names and addresses that a serving certificate must cover. */
export interface CertificateNames {
  readonly dnsNames: readonly string[];
  readonly ipAddresses: readonly string[];
}

export interface CertificateNameSettings {
  /** The DNS domain of the management cluster, for the Service name in its pods; cluster.local by default. */
  readonly managementDomain?: string;
}

/** Every name and address at which clients, inside and outside, reach the API server of a control plane. */
export function certificateNames(
  { metadata, spec }: TenantControlPlane,
  endpoint: KnownEndpoint,
  { managementDomain = "cluster.local" }: CertificateNameSettings = {},
): CertificateNames {
  const { name, namespace = "default" } = metadata;
  const { clusterDomain, serviceCidr, address = "", certSANs = [] } = spec.networkProfile;
  const names = [
    "localhost",
    "127.0.0.1",
    "::1",
    // Used in the management cluster ...
    name,
    `${name}.${namespace}`,
    `${name}.${namespace}.svc`,
    `${name}.${namespace}.svc.${managementDomain}`,
    // ... used by the pods of the tenant ...
    "kubernetes",
    "kubernetes.default",
    "kubernetes.default.svc",
    `kubernetes.default.svc.${clusterDomain}`,
    addressInRange(serviceCidr, 1),
    // ... and used by all other clients.
    address,
    endpoint.host,
    endpoint.advertiseAddress,
    ...endpoint.alternatives,
    ...certSANs,
  ].filter((text) => text !== "");
  const unique = [...new Set(names)];
  return {
    dnsNames: unique.filter((text) => isIP(text) === 0),
    ipAddresses: unique.filter((text) => isIP(text) !== 0),
  };
}
