import { AlreadyExists, type CacheSet, type KubeClient } from "@butler/kube";
import { builtinKinds, type DynamicObject, keyText, type ObjectKey, type OwnerReference } from "@butler/resource";
import { Conflict, isRecord, NotFound } from "@butler/std";
import { nameLabel, ofSteward, projectLabel } from "../names.ts";
import type { SecretData } from "../secrets/secret-data.ts";

/** A Secret as it is to be written. */
export interface SecretToWrite extends ObjectKey {
  /** Cannot be changed later. */
  readonly type: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly owner: OwnerReference;
  readonly data: SecretData;
  /** Only this very version is replaced; undefined when there is to be none yet. */
  readonly replaces: string | undefined;
}

/** Where Secrets are read and written. */
export interface SecretVault {
  /** The data of a Secret of Steward's, as the cache has it. */
  read(key: ObjectKey): SecretData | undefined;
  /**
   * Writes a Secret and gives what it then holds. One that somebody else of Steward's has made meanwhile is left as it is:
   * two keys for one thing would be worse than either.
   */
  write(secret: SecretToWrite, signal: AbortSignal): Promise<SecretData>;
}

/** The data of a Secret. */
export function dataOf(secret: DynamicObject): SecretData {
  return isRecord(secret["data"]) ? (secret["data"] as SecretData) : {};
}

/** The vault that is the API server, with the caches in front of it. */
export function createSecretVault(client: KubeClient, caches: CacheSet): SecretVault {
  const kind = builtinKinds.Secret;
  const note = (secret: DynamicObject): SecretData => {
    // The next pass comes at once and must see what this one wrote.
    caches.noteWrite(kind, secret);
    return dataOf(secret);
  };
  const adopt = async (wanted: SecretToWrite, signal: AbortSignal): Promise<SecretData> => {
    const live = await client.get(kind, wanted, signal);
    const isOurs = live.metadata.ownerReferences?.some(({ uid }) => uid === wanted.owner.uid) === true;
    if (!isOurs) throw nameIsTaken(wanted);
    const hasLabels = Object.entries(wanted.labels).every(([key, value]) => live.metadata.labels?.[key] === value);
    if (hasLabels) return note(live);
    // Without its labels it is in no cache, so it looked as if it were not there.
    const patch = { metadata: { labels: wanted.labels, resourceVersion: live.metadata.resourceVersion } };
    return note(await client.patch(kind, wanted, { type: "merge", patch, signal }));
  };
  const create = async (wanted: SecretToWrite, signal: AbortSignal): Promise<SecretData> => {
    try {
      return note(await client.create(kind, manifestOf(wanted), { signal }));
    } catch (error) {
      if (!(error instanceof AlreadyExists)) throw error;
      return adopt(wanted, signal);
    }
  };
  return {
    read: (key) => {
      const secret = caches.of(kind, ofSteward).get(key);
      return secret && dataOf(secret);
    },
    write: async (wanted, signal) => {
      if (wanted.replaces === undefined) return create(wanted, signal);
      const { metadata, data } = manifestOf(wanted);
      const patch = { metadata: { ...metadata, resourceVersion: wanted.replaces }, data };
      try {
        return note(await client.patch(kind, wanted, { type: "merge", patch, signal }));
      } catch (error) {
        if (!(error instanceof NotFound)) throw error;
        return create(wanted, signal);
      }
    },
  };
}

function manifestOf({ name, namespace, type, labels, annotations, owner, data }: SecretToWrite): DynamicObject {
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name, namespace, labels: { ...labels }, annotations: { ...annotations }, ownerReferences: [owner] },
    type,
    data,
  };
}

function nameIsTaken(secret: SecretToWrite): Conflict {
  return new Conflict(`Secret ${keyText(secret)} exists and does not belong to this control plane`, {
    hint:
      "Delete it, or hand it over: remove its owner references and add the labels " +
      `${projectLabel}=steward and ${nameLabel}=${secret.labels[nameLabel] ?? ""}.`,
  });
}
