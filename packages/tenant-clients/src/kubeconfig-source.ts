import type { Informer, KubeClient } from "@butler/kube";
import { builtinKinds, keyOf, keyText, type Kind, type ObjectKey } from "@butler/resource";
import { isRecord } from "@butler/std";

/** The source of tenant kubeconfigs. */
export interface KubeconfigSource {
  /** The current text, bypassing caches; undefined when there is none. */
  read(key: ObjectKey, signal: AbortSignal): Promise<string | undefined>;
  /** Calls back when a tenant's kubeconfig may have changed. A source without it is polled. */
  readonly onChange?: (listener: (key: ObjectKey) => void) => () => void;
}

export interface SecretKubeconfigsOptions {
  /** The client of the cluster with the Secrets. */
  readonly client: Pick<KubeClient, "find">;
  /** The Secret key of the kubeconfig; `value` in Cluster API. */
  readonly dataKey?: string;
  /** An informer of those Secrets, optionally metadata-only, that reports changes and deletions. */
  readonly informer?: Pick<Informer<Kind>, "addHandler">;
}

/** Kubeconfigs in Secrets; a tenant's key is that of its Secret. */
export function secretKubeconfigs({ client, dataKey = "value", informer }: SecretKubeconfigsOptions): KubeconfigSource {
  return {
    read: async (key, signal) => {
      const secret = await client.find(builtinKinds.Secret, key, signal);
      const data: unknown = secret?.["data"];
      const value = isRecord(data) ? data[dataKey] : undefined;
      return typeof value === "string" ? Buffer.from(value, "base64").toString() : undefined;
    },
    ...(informer === undefined
      ? {}
      : { onChange: (listener) => informer.addHandler(({ object }) => listener(keyOf(object))) }),
  };
}

/** Kubeconfigs that the caller provides. */
export class GivenKubeconfigs implements KubeconfigSource {
  readonly #texts = new Map<string, string>();
  readonly #listeners = new Set<(key: ObjectKey) => void>();

  read(key: ObjectKey): Promise<string | undefined> {
    return Promise.resolve(this.#texts.get(keyText(key)));
  }

  readonly onChange = (listener: (key: ObjectKey) => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Sets or removes a tenant's kubeconfig. */
  set(key: ObjectKey, text: string | undefined): void {
    if (text === undefined) this.#texts.delete(keyText(key));
    else this.#texts.set(keyText(key), text);
    for (const listener of this.#listeners) listener(key);
  }
}
