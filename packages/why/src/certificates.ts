import { readCertificate } from "@butler/pki";
import type { DynamicObject } from "@butler/resource";
import { isRecord } from "@butler/std";

/** Labels and annotations by which Steward marks the Secrets of a control plane. */
export const certificateMarks = {
  project: "steward.butlerlabs.dev/project=steward",
  name: "steward.butlerlabs.dev/name",
  component: "steward.butlerlabs.dev/component",
  /** Steward makes the content of a Secret anew that has it, and takes it away. */
  rotate: "certs.steward.butlerlabs.dev/rotate",
} as const;

const healths = ["Expired", "Critical", "Warning", "Healthy"] as const;

/** How long a certificate still lasts, in a word. */
export type CertificateHealth = (typeof healths)[number];

/** A certificate of a control plane; never its key. */
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

/** What is replaced: `all` is everything but the authority, `ca` is the authority too. */
export const rotationTypes = ["all", "kubeconfigs", "ca"] as const;
export type RotationType = (typeof rotationTypes)[number];

const dayMs = 86_400_000;

/** The label selector of the Secrets of a control plane. */
export function certificateSelector(controlPlane: string): string {
  return `${certificateMarks.project},${certificateMarks.name}=${controlPlane}`;
}

/** The certificates in Secrets, those that end first in front. */
export function certificatesOf(secrets: readonly DynamicObject[], now: Date): ControlPlaneCertificate[] {
  return secrets
    .flatMap((secret) => certificatesIn(secret, now))
    .sort((left, right) => left.daysUntilExpiry - right.daysUntilExpiry);
}

/** Only what a certificate says to everybody is read; keys are not looked at. */
function certificatesIn(secret: DynamicObject, now: Date): ControlPlaneCertificate[] {
  const data = isRecord(secret["data"]) ? secret["data"] : {};
  return Object.entries(data).flatMap(([key, encoded]) => {
    const pem = typeof encoded === "string" ? publicPart(key, Buffer.from(encoded, "base64").toString()) : undefined;
    return pem === undefined ? [] : certificateOf(pem, { secret, key, now });
  });
}

/** A certificate's text, from its own entry or from a kubeconfig. */
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
    // Something else lies under that name; it is no certificate to show.
    return [];
  }
}

/** How a certificate is that has so many days left. */
export function healthOf(days: number): CertificateHealth {
  if (days < 0) return "Expired";
  if (days < 7) return "Critical";
  return days < 30 ? "Warning" : "Healthy";
}

/** The worst of all. */
export function worstHealth(certificates: readonly Pick<ControlPlaneCertificate, "healthStatus">[]): CertificateHealth {
  return healths.find((health) => certificates.some(({ healthStatus }) => healthStatus === health)) ?? "Healthy";
}

/** Whether the content of a Secret is about to be made anew. */
export function isBeingRotated({ metadata }: Pick<DynamicObject, "metadata">): boolean {
  return metadata.annotations?.[certificateMarks.rotate] === "";
}

type Placed = Pick<ControlPlaneCertificate, "secretName" | "secretKey" | "isCA">;

/** The Secrets whose content a rotation makes anew, in the order of their names. */
export function secretsToRotate(certificates: readonly Placed[], type: RotationType): string[] {
  const names = [...new Set(certificates.map(({ secretName }) => secretName))].sort();
  return names.filter((name) => {
    const inside = certificates.filter(({ secretName }) => secretName === name);
    if (type === "kubeconfigs") return inside.some(({ secretKey }) => isKubeconfig(secretKey));
    return type === "ca" || !inside.every(({ isCA }) => isCA);
  });
}
