import type { KubeClient } from "@butler/kube";
import { type SecretKeys, secretKeysBy } from "../shared/index.ts";

/** What the ProviderConfigs controller uses besides its caches. */
export interface ProviderConfigPorts {
  readonly secretKeys: SecretKeys;
}

/** The production ports. */
export function createProviderConfigPorts(client: KubeClient): ProviderConfigPorts {
  return { secretKeys: secretKeysBy(client) };
}
