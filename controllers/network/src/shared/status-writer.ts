import type { CacheSet, KubeClient } from "@butler/kube";
import type { ObjectKey, Resource } from "@butler/resource";

/** A status change that is conditional on the version that it was decided on. */
export interface StatusWrite extends ObjectKey {
  readonly resourceVersion: string;
  /** Fields to set, or to remove when null; all others stay. */
  readonly status: Readonly<Record<string, unknown>>;
}

/** Writes a status; throws Conflict if the object has changed since, and NotFound if it no longer exists. */
export type StatusWriter = (kind: Resource, write: StatusWrite, signal: AbortSignal) => Promise<void>;

/** Dependencies of the status writer; caches are updated immediately. */
export interface StatusWriterOptions {
  readonly client: Pick<KubeClient, "patch">;
  readonly caches: Pick<CacheSet, "noteWrite">;
  readonly fieldManager: string;
}

/** A writer on an API server. */
export function createStatusWriter({ client, caches, fieldManager }: StatusWriterOptions): StatusWriter {
  return async (kind, { name, namespace, resourceVersion, status }, signal) => {
    // A version belongs to one object only, so the write cannot reach a recreated object of the same name.
    const patch = { metadata: { resourceVersion }, status };
    const options = { type: "merge", subresource: "status", patch, fieldManager, signal } as const;
    caches.noteWrite(kind, await client.patch(kind, { name, namespace }, options));
  };
}
