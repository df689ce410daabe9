import type { TenantControlPlane } from "@butler/api";
import { keyText, type ObjectMeta } from "@butler/resource";
import { claimedHostOf } from "./exposure-mode.ts";

/** The order of two claims on the same host. */
export type Seniority = Pick<ObjectMeta, "uid" | "creationTimestamp">;

/** Orders by age, the oldest first; the UID breaks ties, so that all processes see the same order. */
export function compareSeniority(left: Seniority, right: Seniority): number {
  const age = (left.creationTimestamp ?? "").localeCompare(right.creationTimestamp ?? "");
  return age === 0 ? (left.uid ?? "").localeCompare(right.uid ?? "") : age;
}

export interface ClaimCircumstances {
  /** Whether the host is newly requested, by a create or an update: it must then be free, regardless of age. */
  readonly isNewClaim?: boolean;
}

/** The conflict message when another control plane has the host; undefined without a conflict. */
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

/** The message for the later claim. */
export function hostnameTakenMessage(host: string, holder: string): string {
  return `hostname ${host} is already used by control plane ${holder}; choose another one`;
}
