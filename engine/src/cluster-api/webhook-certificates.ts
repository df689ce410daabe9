import { type CertificatePair, createAuthority, faultOf, issueCertificate, readCertificate } from "@butler/pki";
import { Conflict } from "@butler/std";
import type { Kubectl } from "../node/kubectl.ts";
import { type CertificateSecret, type FilledSecret, tlsSecret } from "./manifests.ts";

/** The CA of the webhook certificates. */
export interface WebhookAuthority {
  readonly pair: CertificatePair;
  /** The trusted CAs, in PEM format: this one, and the previous one while its certificates are in use. */
  readonly trusted: string;
}

/** The kubectl operations used here. */
export type SecretStore = Pick<Kubectl, "get" | "run">;

interface StoredSecret {
  readonly metadata: { readonly resourceVersion: string };
  readonly data?: Readonly<Record<string, string>>;
}

const authoritySecret = { name: "butler-webhook-authority", namespace: "capi-system" } as const;
const attempts = 3;

/**
 * The CA stored in the cluster; a new one if there is none, or if the stored one is in the last third of its lifetime.
 */
export async function ensureAuthority(kubectl: SecretStore, now: Date): Promise<WebhookAuthority> {
  for (let attempt = 1; ; attempt += 1) {
    const stored = await readSecret(kubectl, authoritySecret);
    const kept = pairOf(stored);
    const trusted = entryOf(stored, "ca.crt") ?? "";
    if (kept !== undefined && trusted !== "" && faultOf(kept, { now }) === undefined) return { pair: kept, trusted };
    const pair = await createAuthority("butler-webhook-authority", { now });
    const renewed = { pair, trusted: [pair.cert, ...stillValid(kept, now)].map(endLine).join("") };
    try {
      await storeAuthority(kubectl, { renewed, replaced: stored });
      return renewed;
    } catch (error) {
      // Another installation was faster; its CA can be used as well.
      if (!(error instanceof Conflict) || attempt === attempts) throw error;
    }
  }
}

/** Keeps the contents of the Secrets while they are valid, and issues new certificates otherwise. */
export async function fillSecrets(
  kubectl: SecretStore,
  secrets: readonly CertificateSecret[],
  { authority, now }: { authority: WebhookAuthority; now: Date },
): Promise<FilledSecret[]> {
  return Promise.all(
    secrets.map(async (secret) => {
      const kept = pairOf(await readSecret(kubectl, secret));
      const { dnsNames } = secret;
      const request = { commonName: dnsNames[0] ?? secret.name, usages: ["server" as const], dnsNames };
      const expected = { request, authority: authority.pair.cert, now };
      if (kept !== undefined && faultOf(kept, expected) === undefined) return { ...secret, pair: kept };
      return { ...secret, pair: await issueCertificate(authority.pair, request, { now }) };
    }),
  );
}

async function storeAuthority(
  kubectl: SecretStore,
  { renewed, replaced }: { renewed: WebhookAuthority; replaced: StoredSecret | undefined },
): Promise<void> {
  const secret = tlsSecret({ ...authoritySecret, pair: renewed.pair }, renewed.trusted);
  if (replaced === undefined) {
    await kubectl.run(["create", "-f", "-"], [secret]);
    return;
  }
  const { resourceVersion } = replaced.metadata;
  await kubectl.run(["replace", "-f", "-"], [{ ...secret, metadata: { ...secret.metadata, resourceVersion } }]);
}

function stillValid(pair: CertificatePair | undefined, now: Date): string[] {
  if (pair === undefined) return [];
  try {
    return readCertificate(pair.cert).notAfter > now ? [pair.cert] : [];
  } catch {
    // A CA that cannot be parsed has signed nothing that is in use.
    return [];
  }
}

function endLine(pem: string): string {
  return `${pem.trimEnd()}\n`;
}

function readSecret(
  kubectl: SecretStore,
  { name, namespace }: { name: string; namespace: string },
): Promise<StoredSecret | undefined> {
  return kubectl.get<StoredSecret>("secret", name, "--namespace", namespace);
}

function pairOf(secret: StoredSecret | undefined): CertificatePair | undefined {
  const [cert, key] = [entryOf(secret, "tls.crt"), entryOf(secret, "tls.key")];
  return cert === undefined || key === undefined ? undefined : { cert, key };
}

function entryOf(secret: StoredSecret | undefined, key: string): string | undefined {
  const encoded = secret?.data?.[key];
  return encoded === undefined ? undefined : Buffer.from(encoded, "base64").toString();
}
