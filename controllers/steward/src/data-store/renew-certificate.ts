import type { KubeClient } from "@butler/kube";
import { type CertificatePair, faultOf, issueCertificate, readCertificate } from "@butler/pki";
import { builtinKinds, type DynamicObject, keyOf, type KubeObject, type ObjectKey } from "@butler/resource";
import { encoded, textOf } from "./content-ref.ts";
import { signedByAnnotation } from "./names.ts";
import type { DueCertificate } from "./plan.ts";

/** Replaces a certificate and its key by one with the same content and lifetime. */
export type CertificateRenewal = (due: DueCertificate, signal: AbortSignal) => Promise<void>;

/** The Secret of the CA that signs the certificate in a Secret; undefined when Steward does not renew it. */
export function signerKeyOf({ metadata }: KubeObject): ObjectKey | undefined {
  const name = metadata.annotations?.[signedByAnnotation];
  return name === undefined ? undefined : { name, namespace: metadata.namespace };
}

/** The certificate in a Secret if it is due for renewal, and why. */
export function dueCertificate(
  secret: DynamicObject,
  signer: DynamicObject | undefined,
  now: Date,
): DueCertificate | undefined {
  const signerKey = signerKeyOf(secret);
  if (signerKey === undefined || signer === undefined) return undefined;
  const fault = faultOf(pairIn(secret), { now, authority: authorityIn(signer).cert });
  return fault === undefined ? undefined : { secret: keyOf(secret), signer: signerKey, fault };
}

/** Renews through the API. A certificate that was renewed concurrently is left alone. */
export function createCertificateRenewal(
  client: Pick<KubeClient, "get" | "patch">,
  now: () => Date,
): CertificateRenewal {
  return async ({ secret: secretKey, signer: signerKey }, signal) => {
    const [secret, signer] = await Promise.all([
      client.get(builtinKinds.Secret, secretKey, signal),
      client.get(builtinKinds.Secret, signerKey, signal),
    ]);
    if (dueCertificate(secret, signer, now()) === undefined) return;
    const { notBefore, notAfter, ...facts } = readCertificate(pairIn(secret).cert);
    const { commonName, organizations, usages, dnsNames, ipAddresses } = facts;
    const { cert, key } = await issueCertificate(
      authorityIn(signer),
      { commonName, organizations, usages, dnsNames, ipAddresses },
      { lifetimeMs: notAfter.getTime() - notBefore.getTime(), now: now() },
    );
    const data = { "tls.crt": encoded(cert), "tls.key": encoded(key) };
    const { resourceVersion } = secret.metadata;
    const patch = { metadata: { resourceVersion }, data };
    await client.patch(builtinKinds.Secret, secretKey, { type: "merge", patch, signal });
  };
}

function pairIn(secret: DynamicObject): CertificatePair {
  return { cert: textOf(secret, "tls.crt") ?? "", key: textOf(secret, "tls.key") ?? "" };
}

function authorityIn(secret: DynamicObject): CertificatePair {
  return { cert: textOf(secret, "ca.crt") ?? "", key: textOf(secret, "ca.key") ?? "" };
}
