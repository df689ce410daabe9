import { type Assignment, addressesInUse, withoutAddress } from "./assign.ts";
import type { Observed, TenantView } from "./observed.ts";
import { familyOf, requestedAddress } from "./services.ts";
import { type Block, usedIn } from "./stock.ts";

/** Supply and demand of addresses of one family. */
export interface Demand {
  readonly family: 4 | 6;
  /** Services without an address. */
  readonly waiting: number;
  /** Services that have waited long enough. */
  readonly overdue: number;
  /** Unused addresses. */
  readonly free: number;
  /** When the next Service will have waited long enough, in milliseconds. */
  readonly nextOverdueMs: number | undefined;
}

/** Usage after the assignments. */
export interface Use {
  readonly blocks: readonly Block[];
  readonly addresses: ReadonlySet<string>;
  readonly demands: readonly Demand[];
}

/** Input of the decision besides the observed state. */
export interface UseInput {
  readonly blocks: readonly Block[];
  readonly assignments: readonly Assignment[];
  readonly now: Date;
}

/** Counts waiting Services and free addresses. */
export function useOf(
  { patienceMs }: Pick<Observed, "patienceMs">,
  tenant: TenantView,
  { blocks, assignments, now }: UseInput,
): Use {
  const addresses = addressesInUse(tenant.services, assignments);
  // A Service that requests a specific address is not served by other addresses.
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
