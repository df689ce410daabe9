import { covers } from "@butler/controller";
import { type CertificatePair, type CertificateRequest, faultOf } from "@butler/pki";
import type { KubeObject } from "@butler/resource";
import { askedAnnotation } from "./manifests.ts";

/** What is kept of a server that judges: its authority, what is trusted besides it, and the certificate it serves. */
export interface KeptCertificates {
  readonly authority: CertificatePair;
  /** Certificates of this and, for a while, the previous authority. */
  readonly trusted: string;
  readonly serving: CertificatePair;
}

/** What must be made anew; the rest stays. */
export type CertificatePlan = "nothing" | "serving" | "everything";

/** Whom the API server expects behind a Service. */
export function servingRequest(name: string, namespace: string): CertificateRequest {
  const host = `${name}.${namespace}.svc`;
  return { commonName: host, dnsNames: [host], usages: ["server"] };
}

/** Decides what of the certificates does not serve any longer. */
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
 * Whether a configuration that was changed by somebody is to be put right. One that processes of another version have
 * taken over is theirs: while one version gives way to another, both are there.
 */
export function isToBePutRight(live: KubeObject | undefined, wanted: KubeObject): boolean {
  if (live === undefined) return true;
  const asked = live.metadata.annotations?.[askedAnnotation];
  if (asked !== undefined && asked !== wanted.metadata.annotations?.[askedAnnotation]) return false;
  return !covers(live, wanted);
}
