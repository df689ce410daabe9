import { type Assignment, addressesInUse, withoutAddress } from "./assign.ts";
import type { Observed, TenantView } from "./observed.ts";
import { familyOf, requestedAddress } from "./services.ts";
import { type Block, usedIn } from "./stock.ts";

/** How addresses of one family stand to those who want one. */
export interface Demand {
  readonly family: 4 | 6;
  /** Services without an address. */
  readonly waiting: number;
  /** Those of them that have waited long enough. */
  readonly overdue: number;
  /** Addresses that nobody uses. */
  readonly free: number;
  /** When the next Service will have waited long enough, in milliseconds. */
  readonly nextOverdueMs: number | undefined;
}

/** Who uses what, once the assignments are made. */
export interface Use {
  readonly blocks: readonly Block[];
  readonly addresses: ReadonlySet<string>;
  readonly demands: readonly Demand[];
}

/** What is decided from beside the observed. */
export interface UseInput {
  readonly blocks: readonly Block[];
  readonly assignments: readonly Assignment[];
  readonly now: Date;
}

/** Counts who waits and what is free. */
export function useOf(
  { patienceMs }: Pick<Observed, "patienceMs">,
  tenant: TenantView,
  { blocks, assignments, now }: UseInput,
): Use {
  const addresses = addressesInUse(tenant.services, assignments);
  // Who asks for one certain address is not helped by others.
  const waiting = withoutAddress(tenant.services, assignments).filter(
    (service) => requestedAddress(service) === undefined,
  );
  const demands = ([4, 6] as const).map((family): Demand => {
    const overdueAt = waiting
      .filter((service) => familyOf(service) === family)
      .map(({ metadata }) => (tenant.waitingSince.get(metadata.uid ?? "") ?? now.getTime()) + patienceMs);
    const own = blocks.filter(({ range }) => range.family === family);
    const later = overdueAt.filter((time) => time > now.getTime());
    return {
      family,
      waiting: overdueAt.length,
      overdue: overdueAt.length - later.length,
      free: own.reduce((sum, block) => sum + block.size - usedIn(block, addresses), 0),
      nextOverdueMs: later.length === 0 ? undefined : Math.min(...later),
    };
  });
  return { blocks, addresses, demands };
}
