import type { TenantControlPlane } from "@butler/api";
import { keyText } from "@butler/resource";
import { isRecord } from "@butler/std";
import type { CertificateExpiry, PlatformFacts } from "./facts.ts";

/** A certificate with the days until it expires. */
export interface Certificate extends CertificateExpiry {
  readonly daysLeft: number;
}

const dayMs = 24 * 60 * 60 * 1000;

/** Every known certificate, the earliest expiry first. */
export function certificatesOf(facts: PlatformFacts): Certificate[] {
  const all = [
    ...facts.ownCertificates,
    ...facts.controlPlanes.flatMap((plane) => [...controlPlaneCertificates(plane)]),
  ];
  return all
    .map((each) => ({ ...each, daysLeft: Math.floor((Date.parse(each.notAfter) - facts.now.getTime()) / dayMs) }))
    .sort((left, right) => left.daysLeft - right.daysLeft || (left.what < right.what ? -1 : 1));
}

function* controlPlaneCertificates({ metadata, status }: TenantControlPlane): Generator<CertificateExpiry> {
  for (const [path, notAfter] of expiries({ ...status?.certificates, kubeconfig: status?.kubeconfig }, [])) {
    yield { what: `${path} of the control plane ${keyText(metadata)}`, notAfter };
  }
}

function* expiries(value: unknown, path: readonly string[]): Generator<readonly [string, string]> {
  if (!isRecord(value)) return;
  const { notAfter } = value;
  if (typeof notAfter === "string") yield [path.join("."), notAfter];
  for (const [key, inner] of Object.entries(value)) yield* expiries(inner, [...path, key]);
}
