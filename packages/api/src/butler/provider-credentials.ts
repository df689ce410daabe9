import type { ProviderType } from "./provider-type.ts";
import { secretKeys } from "./well-known.ts";

const { kubeconfig, username, password, token, serviceAccountKey } = secretKeys;

/** Keys that the Secret of a provider must have; where there are several sets, one of them is enough. */
export const credentialKeys: Readonly<Record<ProviderType, readonly (readonly string[])[]>> = {
  harvester: [[kubeconfig]],
  nutanix: [[username, password]],
  proxmox: [[username, password], [token]],
  azure: [["clientID", "clientSecret", "tenantID"]],
  aws: [["accessKeyID", "secretAccessKey"]],
  gcp: [[serviceAccountKey]],
  local: [[]],
};

/** The keys that credentials lack, in words; undefined when they are enough. */
export function missingCredentials(provider: ProviderType, keys: readonly string[]): string | undefined {
  const gaps = credentialKeys[provider].map((needed) => needed.filter((key) => !keys.includes(key)));
  if (gaps.some((gap) => gap.length === 0)) return undefined;
  return gaps.map((gap) => gap.join(" and ")).join(", or ");
}
