import type { KubeClient } from "@butler/kube";
import { builtinKinds, type ObjectKey } from "@butler/resource";

/** The keys of a Secret that have content; undefined when there is no such Secret. The content stays there. */
export type SecretKeys = (key: ObjectKey, signal: AbortSignal) => Promise<readonly string[] | undefined>;

/** Looks into Secrets as far as it takes to tell what is there. */
export function secretKeysBy(client: KubeClient): SecretKeys {
  return async (key, signal) => {
    const secret = await client.find(builtinKinds.Secret, key, signal);
    if (secret === undefined) return undefined;
    const data = (secret["data"] ?? {}) as Readonly<Record<string, string>>;
    return Object.entries(data).flatMap(([name, content]) => (content === "" ? [] : [name]));
  };
}
