import type { TenantControlPlane } from "@butler/api";
import { addressInRange } from "@butler/std";

/** Offset of the DNS Service in the Service CIDR: the tenth address in IPv4, and 0x10 in IPv6. */
const dnsPlace = { ipv4: 10, ipv6: 0x10 } as const;

/**
 * The control plane with the defaults that are set once on create: its DataStore and its DNS address. A default that
 * changes later must not affect existing control planes.
 */
export function defaultSpec(tcp: TenantControlPlane, defaultDataStore: string): TenantControlPlane {
  const { dataStore = "", networkProfile } = tcp.spec;
  return {
    ...tcp,
    spec: {
      ...tcp.spec,
      dataStore: dataStore === "" ? defaultDataStore : dataStore,
      ...(networkProfile === undefined ? {} : { networkProfile: withDns(networkProfile) }),
    },
  };
}

type NetworkProfile = TenantControlPlane["spec"]["networkProfile"];

function withDns(profile: NetworkProfile): NetworkProfile {
  const { serviceCidr, dnsServiceIPs = [] } = profile;
  if (dnsServiceIPs.length > 0) return profile;
  try {
    const place = serviceCidr.includes(":") ? dnsPlace.ipv6 : dnsPlace.ipv4;
    return { ...profile, dnsServiceIPs: [addressInRange(serviceCidr, place)] };
  } catch {
    // An invalid CIDR is rejected by validation, with its own message.
    return profile;
  }
}
