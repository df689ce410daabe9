import { readCertificate } from "@butler/pki";
import type { DynamicObject } from "@butler/resource";
import { isRecord } from "@butler/std";

/** Labels and annotations that Steward sets on the Secrets of a control plane. */
export const certificateMarks = {
  project: "steward.butlerlabs.dev/project=steward",
  name: "steward.butlerlabs.dev/name",
  component: "steward.butlerlabs.dev/component",
  /** Steward regenerates the content of a Secret that has this annotation, and removes the annotation. */
  rotate: "certs.steward.butlerlabs.dev/rotate",
} as const;

const healths = ["Expired", "Critical", "Warning", "Healthy"] as const;

/** Remaining validity of a certificate, as a word. */
export type CertificateHealth = (typeof healths)[number];

/** A certificate of a control plane, without its key. */
export interface ControlPlaneCertificate {
  readonly subject: string;
  readonly notBefore: string;
  readonly notAfter: string;
  readonly daysUntilExpiry: number;
  readonly healthStatus: CertificateHealth;
  readonly secretName: string;
  readonly secretKey: string;
  readonly category: string;
  readonly isCA: boolean;
  readonly dnsNames: string[];
  readonly ipAddresses: string[];
  readonly fingerprint: string;
}

/** What is rotated: `all` is everything except the CA, `ca` includes the CA. */
export const rotationTypes = ["all", "kubeconfigs", "ca"] as const;
export type RotationType = (typeof rotationTypes)[number];

const dayMs = 86_400_000;

/** Label selector for the Secrets of a control plane. */
export function certificateSelector(controlPlane: string): string {
  return `${certificateMarks.project},${certificateMarks.name}=${controlPlane}`;
}

/** The certificates in Secrets, sorted by expiry. */
export function certificatesOf(secrets: readonly DynamicObject[], now: Date): ControlPlaneCertificate[] {
  return secrets
    .flatMap((secret) => certificatesIn(secret, now))
    .sort((left, right) => left.daysUntilExpiry - right.daysUntilExpiry);
}

/** Reads only the public part of certificates, never keys. */
function certificatesIn(secret: DynamicObject, now: Date): ControlPlaneCertificate[] {
  const data = isRecord(secret["data"]) ? secret["data"] : {};
  return Object.entries(data).flatMap(([key, encoded]) => {
    const pem = typeof encoded === "string" ? publicPart(key, Buffer.from(encoded, "base64").toString()) : undefined;
    return pem === undefined ? [] : certificateOf(pem, { secret, key, now });
  });
}

/** The PEM text of a certificate, from its own entry or from a kubeconfig. */
function publicPart(key: string, text: string): string | undefined {
  if (/\.(crt|pem)$/.test(key)) return text;
  const inside = isKubeconfig(key) ? /client-certificate-data:\s*"?([A-Za-z0-9+/=]+)/.exec(text)?.[1] : undefined;
  return inside === undefined ? undefined : Buffer.from(inside, "base64").toString();
}

function isKubeconfig(key: string): boolean {
  return key.endsWith(".conf") || key.endsWith("kubeconfig");
}

function certificateOf(
  pem: string,
  { secret, key, now }: { readonly secret: DynamicObject; readonly key: string; readonly now: Date },
): ControlPlaneCertificate[] {
  try {
    const facts = readCertificate(pem);
    const days = Math.floor((facts.notAfter.getTime() - now.getTime()) / dayMs);
    return [
      {
        subject: facts.commonName,
        notBefore: facts.notBefore.toISOString(),
        notAfter: facts.notAfter.toISOString(),
        daysUntilExpiry: days,
        healthStatus: healthOf(days),
        secretName: secret.metadata.name,
        secretKey: key,
        category: secret.metadata.labels?.[certificateMarks.component] ?? "other",
        isCA: facts.isAuthority,
        dnsNames: [...facts.dnsNames],
        ipAddresses: [...facts.ipAddresses],
        fingerprint: facts.fingerprint,
      },
    ];
  } catch {
    // The entry has the name of a certificate but is not one.
    return [];
  }
}

/** The health of a certificate with this many days left. */
export function healthOf(days: number): CertificateHealth {
  if (days < 0) return "Expired";
  if (days < 7) return "Critical";
  return days < 30 ? "Warning" : "Healthy";
}

/** The worst health of all certificates. */
export function worstHealth(certificates: readonly Pick<ControlPlaneCertificate, "healthStatus">[]): CertificateHealth {
  return healths.find((health) => certificates.some(({ healthStatus }) => healthStatus === health)) ?? "Healthy";
}

/** Whether the content of a Secret is about to be rotated. */
export function isBeingRotated({ metadata }: Pick<DynamicObject, "metadata">): boolean {
  return metadata.annotations?.[certificateMarks.rotate] === "";
}

type Placed = Pick<ControlPlaneCertificate, "secretName" | "secretKey" | "isCA">;

/** The Secrets whose content a rotation regenerates, sorted by name. */
export function secretsToRotate(certificates: readonly Placed[], type: RotationType): string[] {
  const names = [...new Set(certificates.map(({ secretName }) => secretName))].sort();
  return names.filter((name) => {
    const inside = certificates.filter(({ secretName }) => secretName === name);
    if (type === "kubeconfigs") return inside.some(({ secretKey }) => isKubeconfig(secretKey));
    return type === "ca" || !inside.every(({ isCA }) => isCA);
  });
}
