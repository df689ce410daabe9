import { clientSecretPlace } from "@butler/administration";
import type { Session } from "@butler/cli-session";
import { builtinKinds } from "@butler/resource";
import { NotFound } from "@butler/std";

/** Deletes the Secret with the client secret, if it exists. */
export async function dropSecret({ client, signal }: Session, name: string): Promise<void> {
  await client.delete(builtinKinds.Secret, clientSecretPlace(name), { signal }).catch((error: unknown) => {
    if (!(error instanceof NotFound)) throw error;
  });
}
