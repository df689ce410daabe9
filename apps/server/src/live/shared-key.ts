import { randomBytes } from "node:crypto";
import { AlreadyExists, type KubeClient } from "@butler/kube";
import { apiVersionOf, builtinKinds, type ObjectKey } from "@butler/resource";
import { isRecord, Unavailable } from "@butler/std";

const entry = "key";

/** A key shared by all servers, in a Secret that the first server creates. */
export async function ensureSharedKey(
  client: Pick<KubeClient, "find" | "create" | "get">,
  { name, namespace }: ObjectKey,
): Promise<Uint8Array> {
  const kind = builtinKinds.Secret;
  const found = await client.find(kind, { name, namespace });
  if (found !== undefined) return keyIn(found, name);
  const data = { [entry]: randomBytes(32).toString("base64") };
  const object = { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata: { name, namespace }, data };
  try {
    return keyIn(await client.create(kind, object, { fieldManager: "butler-server" }), name);
  } catch (error) {
    if (!(error instanceof AlreadyExists)) throw error;
    return keyIn(await client.get(kind, { name, namespace }), name);
  }
}

function keyIn(secret: Readonly<Record<string, unknown>>, name: string): Uint8Array {
  const data = secret["data"];
  const value = isRecord(data) ? data[entry] : undefined;
  const key = Buffer.from(typeof value === "string" ? value : "", "base64");
  if (key.length < 32) {
    throw new Unavailable(`the key in Secret ${name} is invalid`, {
      hint: "Delete the Secret; the server creates a new one when it restarts.",
    });
  }
  return key;
}
