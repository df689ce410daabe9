import type { ProviderType } from "./provider-type.ts";
import { secretKeys } from "./well-known.ts";

const { kubeconfig, username, password, token, serviceAccountKey } = secretKeys;

/** Required keys of a provider's Secret. If there are several sets, one of them is sufficient. */
export const credentialKeys: Readonly<Record<ProviderType, readonly (readonly string[])[]>> = {
  harvester: [[kubeconfig]],
  nutanix: [[username, password]],
  proxmox: [[username, password], [token]],
  azure: [["clientID", "clientSecret", "tenantID"]],
  aws: [["accessKeyID", "secretAccessKey"]],
  gcp: [[serviceAccountKey]],
  local: [[]],
};

/** Description of the missing keys; undefined if the credentials are complete. */
export function missingCredentials(provider: ProviderType, keys: readonly string[]): string | undefined {
  const gaps = credentialKeys[provider].map((needed) => needed.filter((key) => !keys.includes(key)));
  if (gaps.some((gap) => gap.length === 0)) return undefined;
  return gaps.map((gap) => gap.join(" and ")).join(", or ");
}
