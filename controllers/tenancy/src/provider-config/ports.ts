import type { KubeClient } from "@butler/kube";
import { type SecretKeys, secretKeysBy } from "../shared/index.ts";

/** What the controller of ProviderConfigs works with beside its caches. */
export interface ProviderConfigPorts {
  readonly secretKeys: SecretKeys;
}

/** The ports as they are in production. */
export function createProviderConfigPorts(client: KubeClient): ProviderConfigPorts {
  return { secretKeys: secretKeysBy(client) };
}
