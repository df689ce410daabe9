import type { CacheSet, KubeClient } from "@butler/kube";
import type { ObjectKey, Resource } from "@butler/resource";

/** A change of a status that is made only to the version which it was decided on. */
export interface StatusWrite extends ObjectKey {
  readonly resourceVersion: string;
  /** Fields to set, or to remove when null; all others stay. */
  readonly status: Readonly<Record<string, unknown>>;
}

/** Writes a status; throws Conflict when somebody has changed the object since, and NotFound when it is gone. */
export type StatusWriter = (kind: Resource, write: StatusWrite, signal: AbortSignal) => Promise<void>;

/** What statuses are written with; caches learn of a write at once. */
export interface StatusWriterOptions {
  readonly client: Pick<KubeClient, "patch">;
  readonly caches: Pick<CacheSet, "noteWrite">;
  readonly fieldManager: string;
}

/** A writer on an API server. */
export function createStatusWriter({ client, caches, fieldManager }: StatusWriterOptions): StatusWriter {
  return async (kind, { name, namespace, resourceVersion, status }, signal) => {
    // A version belongs to one object only: this also keeps the write from a namesake that was made since.
    const patch = { metadata: { resourceVersion }, status };
    const options = { type: "merge", subresource: "status", patch, fieldManager, signal } as const;
    caches.noteWrite(kind, await client.patch(kind, { name, namespace }, options));
  };
}
