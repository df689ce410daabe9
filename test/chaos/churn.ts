import { createHash } from "node:crypto";
import { type ApiClient, listAll } from "@butler/kube";
import { builtinKinds, type DynamicObject, type Kind, type KubeObject } from "@butler/resource";
import { stableStringify } from "@butler/std";

/** Writers at work at the same time. */
const writers = 12;

const kind = builtinKinds.ConfigMap;

/** Creates, changes and deletes ConfigMaps at random, as fast as the API server takes it. */
export class Churn {
  readonly #client: ApiClient;
  readonly #namespace: string;
  readonly #random: () => number;
  readonly #names: string[] = [];
  #created = 0;
  writes = 0;

  constructor(client: ApiClient, { namespace, random }: { namespace: string; random: () => number }) {
    this.#client = client;
    this.#namespace = namespace;
    this.#random = random;
  }

  /** Creates a number of objects. */
  async create(count: number): Promise<void> {
    await this.#inParallel(count, () => this.#createOne());
  }

  /** Does a number of random writes: six changes in ten, the rest deletions and creations in equal parts. */
  async write(count: number): Promise<void> {
    await this.#inParallel(count, () => {
      const draw = this.#random();
      if (draw < 0.6) return this.#changeOne();
      return draw < 0.8 ? this.#deleteOne() : this.#createOne();
    });
  }

  async #createOne(): Promise<void> {
    const name = `object-${++this.#created}`;
    const metadata = { name, namespace: this.#namespace };
    await this.#client.create(kind, { apiVersion: "v1", kind: "ConfigMap", metadata, data: { at: "0" } } as KubeObject);
    this.#names.push(name);
  }

  async #changeOne(): Promise<void> {
    const name = this.#take();
    const patch = { data: { at: String(this.writes), bulk: "x".repeat(Math.floor(this.#random() * 200)) } };
    await this.#client.patch(kind, { name, namespace: this.#namespace }, { type: "merge", patch });
    this.#names.push(name);
  }

  async #deleteOne(): Promise<void> {
    await this.#client.delete(kind, { name: this.#take(), namespace: this.#namespace });
  }

  /** Takes a random name out of the list, so that no two writers work on one object. */
  #take(): string {
    const at = Math.floor(this.#random() * this.#names.length);
    const last = this.#names.pop() ?? "";
    const name = this.#names[at] ?? last;
    if (at < this.#names.length) this.#names[at] = last;
    return name;
  }

  async #inParallel(count: number, write: () => Promise<void>): Promise<void> {
    let left = count;
    const work = async (): Promise<void> => {
      while (left-- > 0) {
        await write();
        this.writes++;
      }
    };
    await Promise.all(Array.from({ length: writers }, work));
  }
}

/** An object's version and a digest of all that is in it, so that a corrupted copy is detected. */
export function fingerprint(object: DynamicObject): string {
  const { managedFields: _dropped, ...metadata } = object.metadata;
  const digest = createHash("sha1")
    .update(stableStringify({ ...object, metadata }))
    .digest("base64");
  return `${metadata.resourceVersion ?? ""} ${digest}`;
}

/** The fingerprint of every object of a kind in a namespace, by name, as the API server reports it now. */
export async function listFingerprints(
  client: ApiClient,
  listed: Kind,
  namespace: string,
): Promise<Map<string, string>> {
  const fingerprints = new Map<string, string>();
  for await (const object of listAll(client, listed, { namespace })) {
    fingerprints.set(object.metadata.name, fingerprint(object));
  }
  return fingerprints;
}
