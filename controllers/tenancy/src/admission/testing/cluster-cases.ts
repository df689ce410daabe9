import { expect } from "vitest";
import { decideTenantCluster } from "../tenant-cluster/decide.ts";
import type { TenantClusterInput } from "../tenant-cluster/input.ts";
import { aCluster, aTeam, clusterFacts, clusterInput, type Traits } from "./objects.ts";

/** A case: what is asked for, and the one reason to refuse it; none when it is let in. */
export type Case = [what: string, input: Partial<TenantClusterInput>, refusal?: string];

/** Every reason to refuse a request of Ada's, as `CODE path: message`. */
export function judged(input: Partial<TenantClusterInput>): string[] {
  return decideTenantCluster(clusterInput(input)).map(({ code, path, message }) => `${code} ${path}: ${message}`);
}

/** Whether a case ends as it should. */
export function check(_what: string, input: Partial<TenantClusterInput>, refusal?: string): void {
  const reasons = judged(input);
  if (refusal === undefined) expect(reasons).toEqual([]);
  else {
    expect(reasons).toHaveLength(1);
    expect(reasons[0]).toContain(refusal);
  }
}

/** A request to make a cluster. */
export const made = (traits: Traits): Partial<TenantClusterInput> => ({ cluster: aCluster(traits) });

/** A request to change one. */
export const changed = (before: Traits, after: Traits): Partial<TenantClusterInput> => ({
  before: aCluster(before),
  cluster: aCluster(after),
});

/** A request in a team that is somehow special. */
export const withTeam = (traits: Traits, rest: Partial<TenantClusterInput> = {}): Partial<TenantClusterInput> => ({
  facts: clusterFacts({ team: aTeam(traits) }),
  ...rest,
});

/** Fields that are left out. */
export const without = (...fields: string[]): Record<string, undefined> =>
  Object.fromEntries(fields.map((field) => [field, undefined]));
