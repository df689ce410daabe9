import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, randomBytes } from "node:crypto";
import { namespaces } from "@butler/api";
import { AlreadyExists, type Informer, type KubeClient } from "@butler/kube";
import { builtinKinds, type DynamicObject } from "@butler/resource";
import { type Clock, Conflict, Unavailable } from "@butler/std";
import { z } from "zod";
import { jsonIn, signInLabel } from "./session-record.ts";

const { Secret } = builtinKinds;
const secretKey = { name: "butler-server-signing-keys", namespace: namespaces.system } as const;
const dataKey = "keys";

const storedKey = z.object({
  id: z.string(),
  /** Ed25519, as PKCS #8 in PEM form. */
  privateKey: z.string(),
  /** Encryption key for data that only the server reads, such as the state of a pending sign-in. */
  sealKey: z.string(),
  /** Start of use for signing; every replica has the key before. */
  activeAt: z.number(),
});
const storedKeys = z.array(storedKey);

/** A key as it is kept. */
export type StoredKey = z.output<typeof storedKey>;

const rotateMs = 24 * 3_600_000;
const announceMs = 2 * 60_000;
/** Longer than the lifetime of anything signed or sealed by a key. */
const keepMs = 30 * 60_000;

/** The keys to keep at a point in time: the signing key, its successor, and those whose signatures are still valid. */
export function planKeys(
  keys: readonly StoredKey[],
  nowMs: number,
  make: (activeAt: number) => StoredKey,
): StoredKey[] {
  const ordered = [...keys].sort((left, right) => left.activeAt - right.activeAt);
  const kept = ordered.filter((_key, at) => {
    const successor = ordered[at + 1];
    return successor === undefined || successor.activeAt + keepMs > nowMs;
  });
  const newest = kept.at(-1);
  if (newest === undefined) return [make(nowMs)];
  return newest.activeAt + rotateMs <= nowMs ? [...kept, make(nowMs + announceMs)] : kept;
}

/** The signing key at a point in time: the newest one already in use. */
export function signerAt(keys: readonly StoredKey[], nowMs: number): StoredKey | undefined {
  const [first, ...others] = [...keys].sort((left, right) => left.activeAt - right.activeAt);
  return others.filter(({ activeAt }) => activeAt <= nowMs).at(-1) ?? first;
}

/** A key that can be used. */
export interface UsableKey {
  readonly id: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  readonly sealKey: Uint8Array;
}

/** Generates a key. */
export function makeKey(activeAt: number): StoredKey {
  const { privateKey } = generateKeyPairSync("ed25519");
  return {
    id: randomBytes(8).toString("hex"),
    privateKey: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    sealKey: randomBytes(32).toString("base64url"),
    activeAt,
  };
}

/** Dependencies of the key store. */
export interface KeyRingParts {
  readonly client: KubeClient;
  readonly secrets: Informer<typeof Secret>;
  readonly clock: Clock;
}

/** The keys of all replicas, in one Secret that the first replica creates and all replicas watch. */
export class KeyRing {
  readonly #parts: KeyRingParts;
  #read: { readonly secret: DynamicObject; readonly keys: readonly StoredKey[] } | undefined;
  readonly #usable = new Map<string, UsableKey>();

  constructor(parts: KeyRingParts) {
    this.#parts = parts;
  }

  /** Creates missing keys and deletes expired ones; concurrent changes of replicas are resolved by conflict. */
  async maintain(signal?: AbortSignal): Promise<void> {
    for (let attempt = 0; attempt < 5; attempt++) {
      const secret = await this.#parts.client.find(Secret, secretKey, signal);
      const keys = keysIn(secret);
      const wanted = planKeys(keys, this.#nowMs, makeKey);
      const isRight = wanted.length === keys.length && wanted.every(({ id }, at) => id === keys[at]?.id);
      if (secret !== undefined && isRight) return this.#take(secret);
      try {
        return this.#take(await this.#store(wanted, secret, signal));
      } catch (error) {
        if (!(error instanceof AlreadyExists) && !(error instanceof Conflict)) throw error;
      }
    }
    throw new Unavailable("too many concurrent changes to the signing keys");
  }

  /** The key to sign with now. */
  get signer(): UsableKey {
    const key = signerAt(this.#keys, this.#nowMs);
    if (key === undefined) throw new Unavailable("signing key not found");
    return this.#use(key);
  }

  /** The key of an id; undefined when it is not, or no longer, one of ours. */
  byId(id: string | undefined): UsableKey | undefined {
    const key = this.#keys.find((known) => known.id === id);
    return key && this.#use(key);
  }

  get #nowMs(): number {
    return this.#parts.clock.now().getTime();
  }

  get #keys(): readonly StoredKey[] {
    const secret = this.#parts.secrets.get(secretKey) ?? this.#read?.secret;
    if (secret !== undefined && secret !== this.#read?.secret) this.#take(secret);
    return this.#read?.keys ?? [];
  }

  #take(secret: DynamicObject): void {
    this.#read = { secret, keys: keysIn(secret) };
  }

  #store(
    keys: readonly StoredKey[],
    before: DynamicObject | undefined,
    signal: AbortSignal | undefined,
  ): Promise<DynamicObject> {
    const { client } = this.#parts;
    const data = { [dataKey]: Buffer.from(JSON.stringify(keys)).toString("base64") };
    const resourceVersion = before?.metadata.resourceVersion;
    const metadata = { ...secretKey, labels: { [signInLabel]: "keys" }, ...(resourceVersion && { resourceVersion }) };
    const secret = { apiVersion: "v1", kind: "Secret", metadata, type: "Opaque", data };
    const options = { fieldManager: "butler-server", signal };
    return before === undefined ? client.create(Secret, secret, options) : client.replace(Secret, secret, options);
  }

  #use(stored: StoredKey): UsableKey {
    const known = this.#usable.get(stored.id);
    if (known !== undefined) return known;
    const privateKey = createPrivateKey(stored.privateKey);
    const publicKey = createPublicKey(privateKey);
    const sealKey = new Uint8Array(Buffer.from(stored.sealKey, "base64url"));
    const usable = { id: stored.id, privateKey, publicKey, sealKey };
    this.#usable.set(stored.id, usable);
    return usable;
  }
}

function keysIn(secret: DynamicObject | undefined): readonly StoredKey[] {
  const read = storedKeys.safeParse(jsonIn(secret, dataKey));
  return read.success ? read.data : [];
}
