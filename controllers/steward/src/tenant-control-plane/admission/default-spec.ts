import type { TenantControlPlane } from "@butler/api";
import { addressInRange } from "@butler/std";

/** The place of the DNS Service in the range of Services: the tenth in IPv4, and 0x10 in IPv6. */
const dnsPlace = { ipv4: 10, ipv6: 0x10 } as const;

/**
 * The control plane with everything decided that is decided once, when it is made: which store it lives in and where its
 * DNS is. A default that changes later must not move what exists.
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
    // A range that is none is refused when it is judged, with a sentence of its own.
    return profile;
  }
}
