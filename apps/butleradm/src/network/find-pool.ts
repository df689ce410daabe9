import { NetworkPool } from "@butler/api";
import type { Session } from "@butler/cli-session";
import { NotFound } from "@butler/std";

/** The pool of that name. */
export async function requirePool(
  { client, signal }: Session,
  { name, namespace }: { readonly name: string; readonly namespace: string },
): Promise<NetworkPool> {
  const pool = await client.find(NetworkPool, { name, namespace }, signal);
  if (pool !== undefined) return pool;
  throw new NotFound(`network pool ${name} not found in namespace ${namespace}`, {
    hint: "List them with: butleradm network list",
  });
}
