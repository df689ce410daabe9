import type { KubeClient } from "@butler/kube";
import { builtinKinds, type ObjectKey } from "@butler/resource";

/** Reads the non-empty keys of a Secret, without their values; undefined when the Secret does not exist. */
export type SecretKeys = (key: ObjectKey, signal: AbortSignal) => Promise<readonly string[] | undefined>;

/** Reads the keys of Secrets through a client. */
export function secretKeysBy(client: KubeClient): SecretKeys {
  return async (key, signal) => {
    const secret = await client.find(builtinKinds.Secret, key, signal);
    if (secret === undefined) return undefined;
    const data = (secret["data"] ?? {}) as Readonly<Record<string, string>>;
    return Object.entries(data).flatMap(([name, content]) => (content === "" ? [] : [name]));
  };
}
