import type { KubeClient } from "@butler/kube";
import { builtinKinds, type ObjectKey } from "@butler/resource";

/** What the controller of ProviderConfigs works with beside its caches. */
export interface ProviderConfigPorts {
  /** The keys of a Secret that have content; undefined when there is no such Secret. The content stays there. */
  readonly secretKeys: (key: ObjectKey, signal: AbortSignal) => Promise<readonly string[] | undefined>;
}

/** The ports as they are in production. */
export function createProviderConfigPorts(client: KubeClient): ProviderConfigPorts {
  return {
    secretKeys: async (key, signal) => {
      const secret = await client.find(builtinKinds.Secret, key, signal);
      if (secret === undefined) return undefined;
      const data = (secret["data"] ?? {}) as Readonly<Record<string, string>>;
      return Object.entries(data).flatMap(([name, content]) => (content === "" ? [] : [name]));
    },
  };
}
