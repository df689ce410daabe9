import { labels, managedByButler, namespaces } from "@butler/api";
import { type ApiClient, type CacheSet, type Informer, listAll } from "@butler/kube";
import { builtinKinds, type DynamicObject, type ObjectMeta } from "@butler/resource";
import { Conflict, isRecord, NotFound } from "@butler/std";
import type { z } from "zod";

const { Secret } = builtinKinds;
const dataKey = "record";

/** The label that says what sort of record a Secret holds. */
const sortLabel = "butler.butlerlabs.dev/record";

/** A record with its Secret's name and version. */
export interface Stored<T> {
  readonly id: string;
  readonly value: T;
  readonly metadata: ObjectMeta;
}

/** Definition of a type of record. */
export interface RecordSort<T> {
  /** Lower-case words with dashes: part of names, of the type of the Secrets, and the value of their label. */
  readonly name: string;
  readonly schema: z.ZodType<T>;
}

/**
 * Small records of the server, one Secret each: they survive restarts, every replica sees them within milliseconds, and
 * the resourceVersion detects conflicts.
 */
export class SecretRecords<T> {
  readonly #client: ApiClient;
  readonly #caches: CacheSet;
  readonly #sort: RecordSort<T>;
  readonly informer: Informer<typeof Secret>;

  constructor({ client, caches }: { client: ApiClient; caches: CacheSet }, sort: RecordSort<T>) {
    this.#client = client;
    this.#caches = caches;
    this.#sort = sort;
    this.informer = caches.of(Secret, { namespace: namespaces.system, labelSelector: `${sortLabel}=${sort.name}` });
  }

  /** All records, from the cache. */
  list(): Stored<T>[] {
    return this.informer.list().flatMap((secret) => this.#read(secret) ?? []);
  }

  /** One record, from the cache. */
  known(id: string): Stored<T> | undefined {
    const secret = this.informer.get({ name: this.#nameOf(id), namespace: namespaces.system });
    return secret && this.#read(secret);
  }

  /** A record, read from the API server. */
  async find(id: string, signal?: AbortSignal): Promise<Stored<T> | undefined> {
    const secret = await this.#client.find(Secret, { name: this.#nameOf(id), namespace: namespaces.system }, signal);
    return secret && this.#read(secret);
  }

  /** All records, read from the API server. */
  async listNow(signal?: AbortSignal): Promise<Stored<T>[]> {
    const found: Stored<T>[] = [];
    for await (const secret of listAll(this.#client, Secret, { ...this.informer.scope, signal })) {
      const record = this.#read(secret);
      if (record !== undefined) found.push(record);
    }
    return found;
  }

  async create(id: string, value: T, signal?: AbortSignal): Promise<Stored<T>> {
    const metadata = {
      name: this.#nameOf(id),
      namespace: namespaces.system,
      labels: { [labels.managedBy]: managedByButler, [sortLabel]: this.#sort.name },
    };
    const made = await this.#client.create(Secret, this.#secretOf(metadata, value), { signal });
    this.#caches.noteWrite(Secret, made);
    return { id, value, metadata: made.metadata };
  }

  /** Replaces a value; throws Conflict if it was modified concurrently. */
  async replace({ id, metadata }: Stored<T>, value: T, signal?: AbortSignal): Promise<Stored<T>> {
    const { name, namespace, labels: own, uid, resourceVersion } = metadata;
    const kept = { name, namespace, labels: own, uid, resourceVersion };
    const made = await this.#client.replace(Secret, this.#secretOf(kept, value), { signal });
    this.#caches.noteWrite(Secret, made);
    return { id, value, metadata: made.metadata };
  }

  /** Removes a record as it was read; false if it was modified or removed concurrently. */
  async take({ metadata }: Stored<T>, signal?: AbortSignal): Promise<boolean> {
    const { name, namespace, uid, resourceVersion } = metadata;
    try {
      await this.#client.delete(Secret, { name, namespace }, { uid, resourceVersion, signal });
      return true;
    } catch (error) {
      if (error instanceof Conflict || error instanceof NotFound) return false;
      throw error;
    }
  }

  /** Removes a record in any version. */
  async remove(id: string, signal?: AbortSignal): Promise<void> {
    try {
      await this.#client.delete(Secret, { name: this.#nameOf(id), namespace: namespaces.system }, { signal });
    } catch (error) {
      if (!(error instanceof NotFound)) throw error;
    }
  }

  /** A corrupt Secret counts as missing. */
  #read(secret: DynamicObject): Stored<T> | undefined {
    const data = secret["data"];
    const text = isRecord(data) ? data[dataKey] : undefined;
    if (secret["type"] !== this.#type || typeof text !== "string") return undefined;
    try {
      const value = this.#sort.schema.parse(JSON.parse(Buffer.from(text, "base64").toString()));
      return { id: secret.metadata.name.slice(this.#nameOf("").length), value, metadata: secret.metadata };
    } catch {
      return undefined;
    }
  }

  #secretOf(metadata: ObjectMeta, value: T): DynamicObject {
    const data = { [dataKey]: Buffer.from(JSON.stringify(value)).toString("base64") };
    return { apiVersion: "v1", kind: "Secret", metadata, type: this.#type, data };
  }

  #nameOf(id: string): string {
    return `butler-${this.#sort.name}-${id}`;
  }

  get #type(): string {
    return `butler.butlerlabs.dev/${this.#sort.name}`;
  }
}
