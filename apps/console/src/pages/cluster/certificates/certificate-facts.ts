import type { certificateView } from "@butler/contract";
import type { Tone } from "@butler/ui";
import type { z } from "zod";

/** A certificate of a control plane. */
export type CertificateView = z.output<typeof certificateView>;

/** How a certificate is. */
export type CertificateHealth = CertificateView["healthStatus"];

/** Tone and word for how a certificate is. */
export const healthStates: Readonly<Record<CertificateHealth, { readonly tone: Tone; readonly word: string }>> = {
  Healthy: { tone: "ready", word: "Good" },
  Warning: { tone: "attention", word: "Ends soon" },
  Critical: { tone: "failed", word: "Ends within days" },
  Expired: { tone: "failed", word: "Over" },
};

/** How long a certificate still is good, in words. */
export function timeLeft(days: number): string {
  if (days < 0) return days === -1 ? "over since a day" : `over since ${-days} days`;
  if (days === 0) return "ends today";
  return days === 1 ? "1 day left" : `${days} days left`;
}

/** What can be replaced, from the gentle to the drastic. */
export const rotations = [
  {
    type: "kubeconfigs",
    label: "Kubeconfigs only",
    consequence: "Kubeconfigs that the control plane itself keeps are made anew.",
  },
  {
    type: "all",
    label: "Everything but the authority",
    consequence: "What the authority has signed is signed anew. Trust in the authority stays.",
  },
  {
    type: "ca",
    label: "The authority too",
    consequence:
      "Every kubeconfig that was ever handed out is void afterwards, and whatever trusts the old authority does not " +
      "trust the new one.",
  },
] as const;

/** One of the things that can be replaced. */
export type RotationType = (typeof rotations)[number]["type"];

/** The body of the request; undefined while the authority is meant and the name of the cluster is not typed. */
export function rotationBody(
  type: RotationType,
  { typed, cluster }: { readonly typed: string; readonly cluster: string },
): { readonly type: RotationType; readonly acknowledge?: boolean } | undefined {
  if (type !== "ca") return { type };
  return typed === cluster ? { type, acknowledge: true } : undefined;
}
