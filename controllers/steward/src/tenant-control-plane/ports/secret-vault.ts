import { AlreadyExists, type CacheSet, type KubeClient } from "@butler/kube";
import { builtinKinds, type DynamicObject, keyText, type ObjectKey, type OwnerReference } from "@butler/resource";
import { Conflict, isRecord, NotFound } from "@butler/std";
import { nameLabel, ofSteward, projectLabel } from "../names.ts";
import type { SecretData } from "../secrets/secret-data.ts";

/** A Secret to write. */
export interface SecretToWrite extends ObjectKey {
  /** Cannot be changed later. */
  readonly type: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly owner: OwnerReference;
  readonly data: SecretData;
  /** Only this resource version is replaced; undefined when the Secret must not exist yet. */
  readonly replaces: string | undefined;
}

/** Reads and writes Secrets. */
export interface SecretVault {
  /** The cached data of a Secret of Steward. */
  read(key: ObjectKey): SecretData | undefined;
  /**
   * Writes a Secret and returns its stored data. One that another Steward process created meanwhile is left as it is:
   * two different keys would be worse than either.
   */
  write(secret: SecretToWrite, signal: AbortSignal): Promise<SecretData>;
}

/** The data of a Secret. */
export function dataOf(secret: DynamicObject): SecretData {
  return isRecord(secret["data"]) ? (secret["data"] as SecretData) : {};
}

/** A vault backed by the API server and its caches. */
export function createSecretVault(client: KubeClient, caches: CacheSet): SecretVault {
  const kind = builtinKinds.Secret;
  const note = (secret: DynamicObject): SecretData => {
    // The next pass runs at once and must see this write.
    caches.noteWrite(kind, secret);
    return dataOf(secret);
  };
  const adopt = async (wanted: SecretToWrite, signal: AbortSignal): Promise<SecretData> => {
    const live = await client.get(kind, wanted, signal);
    const isOurs = live.metadata.ownerReferences?.some(({ uid }) => uid === wanted.owner.uid) === true;
    if (!isOurs) throw nameIsTaken(wanted);
    const hasLabels = Object.entries(wanted.labels).every(([key, value]) => live.metadata.labels?.[key] === value);
    if (hasLabels) return note(live);
    // Without its labels it is in no cache, so it seemed missing.
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
  return new Conflict(`Secret ${keyText(secret)} already exists and is not owned by this control plane`, {
    hint:
      "Delete it, or let Steward adopt it: remove its owner references and add the labels " +
      `${projectLabel}=steward and ${nameLabel}=${secret.labels[nameLabel] ?? ""}.`,
  });
}
