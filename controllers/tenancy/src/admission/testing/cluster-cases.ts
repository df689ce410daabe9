import { expect } from "vitest";
import { decideTenantCluster } from "../tenant-cluster/decide.ts";
import type { TenantClusterInput } from "../tenant-cluster/input.ts";
import { aCluster, aTeam, clusterFacts, clusterInput, type Traits } from "./objects.ts";

/** A case: a request, and the one expected denial; none when it is admitted. */
export type Case = [what: string, input: Partial<TenantClusterInput>, refusal?: string];

/** Every denial of a request from Ada, as `CODE path: message`. */
export function judged(input: Partial<TenantClusterInput>): string[] {
  return decideTenantCluster(clusterInput(input)).map(({ code, path, message }) => `${code} ${path}: ${message}`);
}

/** Checks the result of a case. */
export function check(_what: string, input: Partial<TenantClusterInput>, refusal?: string): void {
  const reasons = judged(input);
  if (refusal === undefined) expect(reasons).toEqual([]);
  else {
    expect(reasons).toHaveLength(1);
    expect(reasons[0]).toContain(refusal);
  }
}

/** A request to create a cluster. */
export const made = (traits: Traits): Partial<TenantClusterInput> => ({ cluster: aCluster(traits) });

/** A request to update a cluster. */
export const changed = (before: Traits, after: Traits): Partial<TenantClusterInput> => ({
  before: aCluster(before),
  cluster: aCluster(after),
});

/** A request in a team with special settings. */
export const withTeam = (traits: Traits, rest: Partial<TenantClusterInput> = {}): Partial<TenantClusterInput> => ({
  facts: clusterFacts({ team: aTeam(traits) }),
  ...rest,
});

/** The spec without some fields. */
export const without = (...fields: string[]): Record<string, undefined> =>
  Object.fromEntries(fields.map((field) => [field, undefined]));
