import type { certificateView } from "@butler/contract";
import type { Tone } from "@butler/ui";
import type { z } from "zod";

/** A certificate of a control plane. */
export type CertificateView = z.output<typeof certificateView>;

/** Health of a certificate. */
export type CertificateHealth = CertificateView["healthStatus"];

/** Tone and word per certificate health. */
export const healthStates: Readonly<Record<CertificateHealth, { readonly tone: Tone; readonly word: string }>> = {
  Healthy: { tone: "ready", word: "Valid" },
  Warning: { tone: "attention", word: "Expires soon" },
  Critical: { tone: "failed", word: "Expires within 7 days" },
  Expired: { tone: "failed", word: "Expired" },
};

/** Remaining validity of a certificate, in words. */
export function timeLeft(days: number): string {
  if (days < 0) return days === -1 ? "expired 1 day ago" : `expired ${-days} days ago`;
  if (days === 0) return "expires today";
  return days === 1 ? "1 day left" : `${days} days left`;
}

/** Rotation types, from least to most disruptive. */
export const rotations = [
  {
    type: "kubeconfigs",
    label: "Kubeconfigs only",
    consequence: "Regenerates the control plane's own kubeconfigs.",
  },
  {
    type: "all",
    label: "All certificates except the CA",
    consequence: "Reissues every certificate signed by the CA. The CA itself stays trusted.",
  },
  {
    type: "ca",
    label: "CA and all certificates",
    consequence: "Invalidates every kubeconfig issued so far. Clients that trust the old CA do not trust the new one.",
  },
] as const;

/** A rotation type. */
export type RotationType = (typeof rotations)[number]["type"];

/** The request body; undefined for a CA rotation until the cluster name is typed. */
export function rotationBody(
  type: RotationType,
  { typed, cluster }: { readonly typed: string; readonly cluster: string },
): { readonly type: RotationType; readonly acknowledge?: boolean } | undefined {
  if (type !== "ca") return { type };
  return typed === cluster ? { type, acknowledge: true } : undefined;
}
