import type { TenantControlPlane } from "@butler/api";
import { keyText, type ObjectMeta } from "@butler/resource";
import { claimedHostOf } from "./exposure-mode.ts";

/** What decides between two that claim the same thing. */
export type Seniority = Pick<ObjectMeta, "uid" | "creationTimestamp">;

/** Orders by age, the oldest first; of two made in the same second the uid decides, so that all see the same order. */
export function compareSeniority(left: Seniority, right: Seniority): number {
  const age = (left.creationTimestamp ?? "").localeCompare(right.creationTimestamp ?? "");
  return age === 0 ? (left.uid ?? "").localeCompare(right.uid ?? "") : age;
}

export interface ClaimCircumstances {
  /** Whether the host is asked for just now, by a new object or a change: it must then be free, whoever is older. */
  readonly isNewClaim?: boolean;
}

/** Why a control plane may not have the host it asks for: another one has it. Undefined when it may. */
export function hostnameConflict(
  tcp: TenantControlPlane,
  others: readonly TenantControlPlane[],
  { isNewClaim = false }: ClaimCircumstances = {},
): string | undefined {
  const host = claimedHostOf(tcp);
  if (host === undefined) return undefined;
  const rivals = others.filter((other) => other.metadata.uid !== tcp.metadata.uid && claimedHostOf(other) === host);
  const ahead = rivals.filter(({ metadata }) => isNewClaim || compareSeniority(metadata, tcp.metadata) < 0);
  const [holder] = ahead.sort((left, right) => compareSeniority(left.metadata, right.metadata));
  return holder === undefined ? undefined : hostnameTakenMessage(host, keyText(holder.metadata));
}

/** The sentence for whoever comes second. */
export function hostnameTakenMessage(host: string, holder: string): string {
  return `The hostname ${host} belongs to the control plane ${holder}, which had it first; choose another one.`;
}
