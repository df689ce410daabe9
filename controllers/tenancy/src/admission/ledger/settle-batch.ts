import type { Refusal } from "@butler/access";
import type { TenantCluster } from "@butler/api";
import { othersOf, reservationMs, type Reservations, standing, withReservation } from "./entries.ts";
import type { LedgerRequest } from "./quota-ledger.ts";

/** The result of one claim. */
export type Verdict = { readonly refusals: readonly Refusal[] } | { readonly error: unknown };

/** What was read for all claims of a batch. */
export interface LedgerState {
  readonly clusters: readonly TenantCluster[];
  readonly reservations: Reservations;
  readonly now: Date;
}

type Wish = Omit<LedgerRequest, "account" | "readClusters" | "signal">;

/** Validates claims in order, each with the reservations of those before it. */
export function settleBatch(
  wishes: readonly Wish[],
  { clusters, reservations: written, now }: LedgerState,
): { readonly verdicts: readonly Verdict[]; readonly reservations: Reservations; readonly isChanged: boolean } {
  const expiresAt = new Date(now.getTime() + reservationMs);
  let reservations = written;
  let isChanged = false;
  const verdicts = wishes.map(({ key, after, uid, resourceVersion, dryRun, storedIn, judge }): Verdict => {
    try {
      const stored = storedIn(clusters);
      reservations = standing(reservations, stored, now);
      const refusals = judge(othersOf(key, stored, reservations));
      if (refusals.length === 0 && !dryRun) {
        reservations = withReservation(reservations, key, { claim: after, uid, resourceVersion, expiresAt });
        isChanged = true;
      }
      return { refusals };
    } catch (error) {
      return { error };
    }
  });
  return { verdicts, reservations, isChanged };
}
