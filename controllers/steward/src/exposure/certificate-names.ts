import { isIP } from "node:net";
import type { TenantControlPlane } from "@butler/api";
import { addressInRange } from "@butler/std";
import type { KnownEndpoint } from "./announced-endpoint.ts";

/** Names and addresses that a serving certificate has to be valid for. */
export interface CertificateNames {
  readonly dnsNames: readonly string[];
  readonly ipAddresses: readonly string[];
}

export interface CertificateNameSettings {
  /** The DNS domain of the management cluster, by which its pods find the Service; cluster.local when not given. */
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
    // By these the management cluster finds it ...
    name,
    `${name}.${namespace}`,
    `${name}.${namespace}.svc`,
    `${name}.${namespace}.svc.${managementDomain}`,
    // ... by these the pods of the tenant ...
    "kubernetes",
    "kubernetes.default",
    "kubernetes.default.svc",
    `kubernetes.default.svc.${clusterDomain}`,
    addressInRange(serviceCidr, 1),
    // ... and by these everybody else.
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
