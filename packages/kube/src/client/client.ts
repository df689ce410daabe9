import { type Kind, kindId, type KubeObject, keyText, type ObjectKey } from "@butler/resource";
import { NotFound } from "@butler/std";
import { conflictOfPatch } from "./api-errors.ts";
import { type Impersonation, impersonating, type Requests } from "./impersonation.ts";
import { kindsIn } from "./discovery.ts";
import { type ObjectFor, withType } from "./object-for.ts";
import { acceptMetadata, discoveryPath, queryText, resourcePath } from "./paths.ts";
import { openWatch, type WatchOptions, type WatchStream } from "./watch.ts";

export interface Page<T> {
  readonly items: readonly T[];
  readonly resourceVersion: string;
  /** The continue token; undefined on the last page. */
  readonly continueToken: string | undefined;
  /** Size of the answer, where the client knows it. */
  readonly bytes?: number | undefined;
}

export interface ListOptions {
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  readonly limit?: number | undefined;
  readonly continueToken?: string | undefined;
  readonly resourceVersion?: string | undefined;
  readonly metadataOnly?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface WriteOptions {
  /** `token` is for ServiceAccounts: it creates a token for the named account. */
  readonly subresource?: "status" | "scale" | "token" | undefined;
  readonly dryRun?: boolean | undefined;
  /** How unknown and duplicate fields are treated; `Strict` rejects them. */
  readonly fieldValidation?: "Strict" | "Warn" | "Ignore" | undefined;
  readonly fieldManager?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface ApplyOptions extends WriteOptions {
  readonly fieldManager: string;
  /** Takes over fields of other managers; used by controllers for their own fields. */
  readonly force?: boolean;
}

export interface DeleteOptions {
  /** Deletes only the object with this UID, not a newer one of the same name. */
  readonly uid?: string | undefined;
  readonly resourceVersion?: string | undefined;
  readonly propagation?: "Background" | "Foreground" | "Orphan" | undefined;
  readonly dryRun?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

const patchTypes = {
  merge: "application/merge-patch+json",
  json: "application/json-patch+json",
  strategic: "application/strategic-merge-patch+json",
} as const;

/** Operations on Kubernetes objects, implemented by all clients. */
export interface KubeClient {
  get<K extends Kind>(kind: K, key: ObjectKey, signal?: AbortSignal): Promise<ObjectFor<K>>;
  find<K extends Kind>(kind: K, key: ObjectKey, signal?: AbortSignal): Promise<ObjectFor<K> | undefined>;
  list<K extends Kind>(kind: K, options?: ListOptions): Promise<Page<ObjectFor<K>>>;
  watch<K extends Kind>(kind: K, options: WatchOptions): Promise<WatchStream<ObjectFor<K>>>;
  create<K extends Kind>(kind: K, object: KubeObject, options?: WriteOptions): Promise<ObjectFor<K>>;
  replace<K extends Kind>(kind: K, object: KubeObject, options?: WriteOptions): Promise<ObjectFor<K>>;
  apply<K extends Kind>(kind: K, object: KubeObject, options: ApplyOptions): Promise<ObjectFor<K>>;
  patch<K extends Kind>(kind: K, key: ObjectKey, options: PatchOptions): Promise<ObjectFor<K>>;
  delete(kind: Kind, key: ObjectKey, options?: DeleteOptions): Promise<void>;
  discover(apiVersion: string, signal?: AbortSignal): Promise<readonly Kind[]>;
}

export interface PatchOptions extends WriteOptions {
  readonly type: keyof typeof patchTypes;
  readonly patch: unknown;
}

/** The client of one API server. */
export class ApiClient implements KubeClient {
  readonly #transport: Requests;

  constructor(transport: Requests) {
    this.#transport = transport;
  }

  /** The transport, for requests without an object: logs, and lists of groups. */
  get transport(): Requests {
    return this.#transport;
  }

  /** The same client, with every request impersonating a user. */
  as(impersonation: Impersonation): ApiClient {
    return new ApiClient(impersonating(this.#transport, impersonation));
  }

  /** Reads one object; throws NotFound when it does not exist. */
  get<K extends Kind>(kind: K, key: ObjectKey, signal?: AbortSignal): Promise<ObjectFor<K>> {
    const action = describe("get", kind, key);
    return this.#transport.json({ method: "GET", path: resourcePath(kind, key), signal, action });
  }

  /** Reads one object, or gives undefined when it does not exist. */
  async find<K extends Kind>(kind: K, key: ObjectKey, signal?: AbortSignal): Promise<ObjectFor<K> | undefined> {
    try {
      return await this.get(kind, key, signal);
    } catch (error) {
      if (error instanceof NotFound) return undefined;
      throw error;
    }
  }

  /** Reads one page of a list. */
  async list<K extends Kind>(kind: K, options: ListOptions = {}): Promise<Page<ObjectFor<K>>> {
    const { limit, labelSelector, fieldSelector, resourceVersion } = options;
    const query = queryText({ limit, continue: options.continueToken, labelSelector, fieldSelector, resourceVersion });
    let bytes: number | undefined;
    const answer = await this.#transport.json<{
      metadata: { resourceVersion: string; continue?: string };
      items: ObjectFor<K>[] | null;
    }>({
      method: "GET",
      path: resourcePath(kind, { namespace: options.namespace }) + query,
      accept: options.metadataOnly ? acceptMetadata("PartialObjectMetadataList") : "application/json",
      signal: options.signal,
      action: describe("list", kind, { namespace: options.namespace }),
      onSize: (size) => (bytes = size),
    });
    return {
      items: (answer.items ?? []).map((item) => withType(kind, item)),
      resourceVersion: answer.metadata.resourceVersion,
      continueToken: answer.metadata.continue || undefined,
      bytes,
    };
  }

  /** Opens a watch that begins after a resource version. */
  watch<K extends Kind>(kind: K, options: WatchOptions): Promise<WatchStream<ObjectFor<K>>> {
    return openWatch(this.#transport, kind, options);
  }

  /** Creates an object; throws AlreadyExists when the name exists. */
  create<K extends Kind>(kind: K, object: KubeObject, options: WriteOptions = {}): Promise<ObjectFor<K>> {
    const { namespace } = object.metadata;
    const { subresource } = options;
    return this.#transport.json({
      method: "POST",
      path:
        resourcePath(kind, subresource === undefined ? { namespace } : object.metadata, subresource) +
        writeQuery(options),
      body: object,
      signal: options.signal,
      action: describe("create", kind, object.metadata),
    });
  }

  /** Writes a whole object; throws Conflict when it has changed since it was read. */
  replace<K extends Kind>(kind: K, object: KubeObject, options: WriteOptions = {}): Promise<ObjectFor<K>> {
    return this.#transport.json({
      method: "PUT",
      path: resourcePath(kind, object.metadata, options.subresource) + writeQuery(options),
      body: object,
      signal: options.signal,
      action: describe("replace", kind, object.metadata),
    });
  }

  /** Server-side apply: sets the fields of the manager, and removes those that it no longer includes. */
  apply<K extends Kind>(kind: K, object: KubeObject, options: ApplyOptions): Promise<ObjectFor<K>> {
    return this.#transport.json({
      method: "PATCH",
      path:
        resourcePath(kind, object.metadata, options.subresource) +
        writeQuery({ ...options, force: options.force ?? true }),
      body: object,
      contentType: "application/apply-patch+yaml",
      signal: options.signal,
      action: describe("apply", kind, object.metadata),
    });
  }

  /** Changes part of an object; throws Conflict when a test of a JSON patch fails. */
  async patch<K extends Kind>(kind: K, key: ObjectKey, options: PatchOptions): Promise<ObjectFor<K>> {
    const action = describe("patch", kind, key);
    try {
      return await this.#transport.json({
        method: "PATCH",
        path: resourcePath(kind, key, options.subresource) + writeQuery(options),
        body: options.patch,
        contentType: patchTypes[options.type],
        signal: options.signal,
        action,
      });
    } catch (error) {
      throw options.type === "json" ? conflictOfPatch(error, action) : error;
    }
  }

  /** Deletes an object; throws NotFound when it does not exist. */
  async delete(kind: Kind, key: ObjectKey, options: DeleteOptions = {}): Promise<void> {
    const { uid, resourceVersion } = options;
    const hasPreconditions = uid !== undefined || resourceVersion !== undefined;
    await this.#transport.json({
      method: "DELETE",
      path: resourcePath(kind, key),
      body: {
        apiVersion: "v1",
        kind: "DeleteOptions",
        propagationPolicy: options.propagation ?? "Background",
        ...(hasPreconditions ? { preconditions: { uid, resourceVersion } } : {}),
        ...(options.dryRun ? { dryRun: ["All"] } : {}),
      },
      signal: options.signal,
      action: describe("delete", kind, key),
    });
  }

  /** The kinds of an apiVersion; throws NotFound when the server does not serve it. */
  async discover(apiVersion: string, signal?: AbortSignal): Promise<readonly Kind[]> {
    const path = discoveryPath(apiVersion);
    const answer = await this.#transport.json({ method: "GET", path, signal, action: `discover ${apiVersion}` });
    return kindsIn(apiVersion, answer);
  }
}

function writeQuery(options: WriteOptions & { force?: boolean }): string {
  const { fieldManager, fieldValidation, force, dryRun } = options;
  return queryText({ fieldManager, fieldValidation, force, dryRun: dryRun ? "All" : undefined });
}

function describe(verb: string, kind: Kind, { namespace, name }: Partial<ObjectKey>): string {
  const target = name === undefined ? (namespace ?? "") : keyText({ name, namespace });
  return `${verb} ${kindId(kind)} ${target}`.trimEnd();
}
