import { apiVersionOf, type DynamicObject, type Kind, type ObjectMeta } from "@butler/resource";
import type { TestCluster } from "@butler/testkit";

interface Body {
  readonly metadata: ObjectMeta;
  readonly spec: Readonly<Record<string, unknown>>;
  readonly status?: Readonly<Record<string, unknown>>;
}

/** Creates an object with a status. */
export async function make(cluster: TestCluster, kind: Kind, body: Body): Promise<void> {
  const { client } = cluster;
  const { metadata, spec, status } = body;
  const object: DynamicObject = { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata, spec };
  await client.create(kind, object);
  if (status === undefined) return;
  const patch = { type: "merge", patch: { status }, subresource: "status" } as const;
  await client.patch(kind, metadata, patch);
}
