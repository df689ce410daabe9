import { type DataStore, labels, type TenantCluster } from "@butler/api";
import { denied } from "@butler/controller";
import type { Denial } from "@butler/kube";
import { isBeingDeleted } from "@butler/resource";
import type { TenantClusterInput } from "./input.ts";

const path = "spec.controlPlane.dataStoreRef";

/** The DataStore that a cluster names; undefined for the default one. */
export function dataStoreOf({ spec }: TenantCluster): string | undefined {
  return spec.controlPlane.dataStoreRef?.name;
}

/** Whether a request chooses a DataStore, which requires permission. */
export function choosesDataStore(cluster: TenantCluster, before: TenantCluster | undefined): boolean {
  return before === undefined && dataStoreOf(cluster) !== undefined;
}

/**
 * Which DataStore a cluster may have: an existing one that a platform administrator chooses, or one that is labelled for
 * its team. Data is never moved, so the choice is final.
 */
export function dataStoreDenials(input: TenantClusterInput): Denial[] {
  const name = dataStoreOf(input.cluster);
  if (input.before === undefined) return name === undefined ? [] : choiceDenials(name, input);
  const was = dataStoreOf(input.before);
  if (was === name) return [];
  const is = was === undefined ? "is the default DataStore" : `is ${was}`;
  return denied("IMMUTABLE", path, `${is} and cannot be changed: Steward cannot move data between DataStores yet`);
}

function choiceDenials(name: string, { requester, facts: { dataStore, team } }: TenantClusterInput): Denial[] {
  const owner = team?.metadata.name;
  const mayChooseAny = requester.isTrusted || requester.isPlatformAdmin === true;
  if (!mayChooseAny && !isOfTeam(dataStore, owner)) {
    const remedy = `ask a platform administrator to label the DataStore ${labels.team}=${owner ?? "TEAM"}`;
    const message = `${name} is not available to this cluster; omit it to use the default DataStore, or ${remedy}`;
    return denied("FORBIDDEN", path, message);
  }
  if (dataStore === undefined) return denied("NOT_FOUND", path, `DataStore ${name} not found; create it first`);
  if (!isBeingDeleted(dataStore)) return [];
  return denied("NOT_ALLOWED", path, `DataStore ${name} is being deleted; choose another one`);
}

function isOfTeam(dataStore: DataStore | undefined, team: string | undefined): boolean {
  return team !== undefined && dataStore?.metadata.labels?.[labels.team] === team;
}
