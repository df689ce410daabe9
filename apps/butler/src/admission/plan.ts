import { covers } from "@butler/controller";
import { type CertificatePair, type CertificateRequest, faultOf } from "@butler/pki";
import type { KubeObject } from "@butler/resource";
import { askedAnnotation } from "./manifests.ts";

/** The stored certificates of an admission server: its CA, further trusted CAs, and the serving certificate. */
export interface KeptCertificates {
  readonly authority: CertificatePair;
  /** Certificates of this and, temporarily, the previous CA. */
  readonly trusted: string;
  readonly serving: CertificatePair;
}

/** What must be reissued; the rest is kept. */
export type CertificatePlan = "nothing" | "serving" | "everything";

/** The certificate that the API server expects behind a Service. */
export function servingRequest(name: string, namespace: string): CertificateRequest {
  const host = `${name}.${namespace}.svc`;
  return { commonName: host, dnsNames: [host], usages: ["server"] };
}

/** Decides which certificates must be reissued. */
export function planCertificates(
  kept: KeptCertificates | undefined,
  request: CertificateRequest,
  now: Date,
): CertificatePlan {
  if (kept === undefined || faultOf(kept.authority, { now }) !== undefined) return "everything";
  const fault = faultOf(kept.serving, { request, authority: kept.authority.cert, now });
  return fault === undefined ? "nothing" : "serving";
}

/**
 * Whether a configuration that was changed must be restored. A configuration taken over by processes of another version
 * belongs to them: during an upgrade both versions run.
 */
export function isToBePutRight(live: KubeObject | undefined, wanted: KubeObject): boolean {
  if (live === undefined) return true;
  const asked = live.metadata.annotations?.[askedAnnotation];
  if (asked !== undefined && asked !== wanted.metadata.annotations?.[askedAnnotation]) return false;
  return !covers(live, wanted);
}
