import type { KubeClient } from "@butler/kube";
import { createAuthority, issueCertificate } from "@butler/pki";
import { builtinKinds, type DynamicObject, isOwnedBy, type ObjectKey } from "@butler/resource";
import { Conflict, isRecord, NotFound } from "@butler/std";
import { ownerReference } from "./owner.ts";
import { type KeptCertificates, planCertificates, servingRequest } from "./plan.ts";

type SecretClient = Pick<KubeClient, "get" | "find" | "create" | "replace">;

/** The Secret of a server's certificates; it is named after the Service and deleted with it. */
export interface CertificatePlace {
  readonly name: string;
  readonly namespace: string;
}

/**
 * The certificates of an admission server, created or renewed when due. Several processes of one Deployment may do this
 * at once: the second one uses the certificates of the first.
 */
export async function ensureCertificates(
  client: SecretClient,
  place: CertificatePlace,
  { now, signal }: { readonly now: Date; readonly signal: AbortSignal },
): Promise<KeptCertificates> {
  const key = { name: `${place.name}-webhook`, namespace: place.namespace };
  for (;;) {
    const owner = await client.get(builtinKinds.Service, place, signal);
    const secret = await client.find(builtinKinds.Secret, key, signal);
    const kept = secret && keptIn(secret);
    const request = servingRequest(place.name, place.namespace);
    const plan = planCertificates(kept, request, now);
    if (kept !== undefined && plan === "nothing" && secret !== undefined && isOwnedBy(secret, owner)) return kept;
    const renewed = kept !== undefined && plan === "nothing" ? kept : await renew(kept, { plan, place, now });
    if (await store({ client, signal }, { key, secret, owner, renewed })) return renewed;
  }
}

async function renew(
  kept: KeptCertificates | undefined,
  { plan, place, now }: { plan: string; place: CertificatePlace; now: Date },
): Promise<KeptCertificates> {
  const isKept = plan === "serving" && kept !== undefined;
  const authority = isKept ? kept.authority : await createAuthority(`${place.name} webhook`, { now });
  const serving = await issueCertificate(authority, servingRequest(place.name, place.namespace), { now });
  // Processes that still serve the previous certificate are trusted until they have the new one.
  const trusted = isKept ? kept.trusted : [authority.cert, kept?.authority.cert ?? ""].join("");
  return { authority, trusted, serving };
}

interface Writing {
  readonly key: ObjectKey;
  readonly secret: DynamicObject | undefined;
  readonly owner: DynamicObject;
  readonly renewed: KeptCertificates;
}

/** Writes unless another process has written since; returns whether it did. */
async function store(
  { client, signal }: { client: SecretClient; signal: AbortSignal },
  { key, secret, owner, renewed }: Writing,
): Promise<boolean> {
  const { name, namespace } = key;
  const object: DynamicObject = {
    apiVersion: "v1",
    kind: "Secret",
    metadata: {
      name,
      namespace,
      labels: { "app.kubernetes.io/managed-by": "butler" },
      ownerReferences: [ownerReference(owner)],
      resourceVersion: secret?.metadata.resourceVersion,
    },
    type: "Opaque",
    data: Object.fromEntries(Object.entries(filesOf(renewed)).map(([file, text]) => [file, btoa(text)])),
  };
  try {
    if (secret === undefined) await client.create(builtinKinds.Secret, object, { signal });
    else await client.replace(builtinKinds.Secret, object, { signal });
    return true;
  } catch (error) {
    if (error instanceof Conflict || error instanceof NotFound) return false;
    throw error;
  }
}

function filesOf({ authority, trusted, serving }: KeptCertificates): Record<string, string> {
  return {
    "authority.crt": authority.cert,
    "authority.key": authority.key,
    "trusted.crt": trusted,
    "tls.crt": serving.cert,
    "tls.key": serving.key,
  };
}

function keptIn(secret: DynamicObject): KeptCertificates | undefined {
  const data: unknown = secret["data"];
  const text = (file: string): string => {
    const value = isRecord(data) ? data[file] : undefined;
    return typeof value === "string" ? Buffer.from(value, "base64").toString() : "";
  };
  const kept = {
    authority: { cert: text("authority.crt"), key: text("authority.key") },
    trusted: text("trusted.crt"),
    serving: { cert: text("tls.crt"), key: text("tls.key") },
  };
  return kept.trusted === "" ? undefined : kept;
}
