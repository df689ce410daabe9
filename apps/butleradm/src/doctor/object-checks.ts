import { clusterPhase, labels, type NetworkPool } from "@butler/api";
import { findCondition, isBeingDeleted, isConditionTrue, keyText, type KubeObject } from "@butler/resource";
import { formatAge } from "@butler/std";
import { type CheckResult, fine } from "../platform/check-result.ts";
import type { DoctorFacts } from "../platform/facts.ts";

/** At most this many results of one sort: who has more has another trouble. */
const most = 10;
const stuckAfterMs = 15 * 60_000;

/** Objects that were to go and have not gone for long. */
export function finalizersCheck({ leaving, now }: DoctorFacts): CheckResult[] {
  const check = "deletions";
  const overdueMs = ({ metadata }: KubeObject): number => now.getTime() - Date.parse(metadata.deletionTimestamp ?? "");
  const stuck = leaving.filter((object) => overdueMs(object) > stuckAfterMs);
  if (stuck.length === 0) return [fine(check, "nothing that is to go has stayed for long")];
  return stuck.slice(0, most).map((object) => {
    const { kind, metadata } = object;
    const held = metadata.finalizers ?? [];
    return {
      check,
      severity: "fault" as const,
      says: `${kind} ${keyText(metadata)} was to go ${formatAge(overdueMs(object))} ago and is held by ${held.join(", ") || "what is in it"}`,
      remedy:
        kind === "TenantCluster"
          ? `Find the cause with: butlerctl cluster why ${metadata.name} -n ${metadata.namespace ?? ""}`
          : "See whether the controller that holds it runs, and what it says. Taking a finalizer away by hand leaves things behind.",
    };
  });
}

/** Clusters that are not ready, with the first cause of each. */
export function clustersCheck({ clusters, causes }: DoctorFacts): CheckResult[] {
  const check = "clusters";
  const waiting = clusters.filter((cluster) => clusterPhase(cluster) !== "Ready");
  if (waiting.length === 0)
    return [fine(check, clusters.length === 0 ? "there are no clusters" : `all ${clusters.length} clusters are ready`)];
  const results = waiting.slice(0, most).map((cluster): CheckResult => {
    const key = keyText(cluster.metadata);
    const cause = causes[key];
    return {
      check,
      severity: cause?.isStuck === false ? "warning" : "fault",
      says: `${key} is ${clusterPhase(cluster)}${cause === undefined ? "" : `: ${cause.sentence}`}`,
      remedy:
        cause?.nextStep ??
        `Find the cause with: butlerctl cluster why ${cluster.metadata.name} -n ${cluster.metadata.namespace ?? ""}`,
    };
  });
  const rest = waiting.length - results.length;
  if (rest > 0)
    results.push({
      check,
      severity: "fault",
      says: `${rest} more clusters are not ready`,
      remedy: "See them with: butlerctl cluster list -A",
    });
  return results;
}

/** Pools that have few addresses left. */
export function poolsCheck({ pools }: DoctorFacts): CheckResult[] {
  const check = "pools";
  const results = pools.flatMap((pool): CheckResult[] => {
    const severity = isFull(pool, "CapacityExhausted") || isFull(pool, "CapacityCritical") ? "fault" : "warning";
    if (severity === "warning" && !isFull(pool, "CapacityWarning")) return [];
    const { metadata, status } = pool;
    const says = `the pool ${keyText(metadata)} has ${status?.availableIPs ?? 0} of ${status?.totalIPs ?? 0} addresses left`;
    return [
      {
        check,
        severity,
        says,
        remedy: `See who has them with: butleradm network show ${metadata.name}. Add another pool, or give it more.`,
      },
    ];
  });
  return results.length > 0 ? results : [fine(check, `${pools.length} pools have room`)];
}

function isFull({ status }: NetworkPool, type: string): boolean {
  return findCondition(status?.conditions, type)?.status === "True";
}

/** Stores of control planes that do not answer. */
export function storesCheck({ dataStores }: DoctorFacts): CheckResult[] {
  const check = "stores";
  const down = dataStores.filter(({ status }) => !isConditionTrue(status?.conditions, "Ready"));
  if (dataStores.length === 0) {
    const remedy = "Steward makes one when it starts to lead, unless steward.defaultDataStore.enabled is false.";
    return [
      { check, severity: "warning", says: "there is no DataStore, where control planes keep their state", remedy },
    ];
  }
  if (down.length === 0) return [fine(check, `${dataStores.length} stores of control planes are ready`)];
  return down.map(({ metadata, status }) => ({
    check,
    severity: "fault" as const,
    says: `the DataStore ${metadata.name} is not ready: ${findCondition(status?.conditions, "Ready")?.message ?? "nobody has looked yet"}`,
    remedy: `See what it says with: kubectl describe datastore ${metadata.name}`,
  }));
}

/** Namespaces that were made for something that is no more. */
export function namespacesCheck({ namespaces, clusters, teams, unreadable }: DoctorFacts): CheckResult[] {
  const check = "namespaces";
  // What cannot be read cannot be missed.
  if (unreadable.some(({ what }) => /^(tenantclusters|teams)\./.test(what))) return [];
  const known = new Set(clusters.map(({ metadata }) => keyText(metadata)));
  const orphans = namespaces.flatMap((object) => {
    const {
      [labels.sourceName]: name,
      [labels.sourceNamespace]: namespace,
      [labels.team]: team,
    } = object.metadata.labels ?? {};
    if (isBeingDeleted(object)) return [];
    if (name !== undefined)
      return known.has(keyText({ name, namespace }))
        ? []
        : [{ object, of: `the cluster ${keyText({ name, namespace })}` }];
    return team === undefined || teams.includes(team) ? [] : [{ object, of: `the team ${team}` }];
  });
  if (orphans.length === 0) return [fine(check, `${namespaces.length} namespaces belong to somebody`)];
  return orphans.slice(0, most).map(({ object, of }) => ({
    check,
    severity: "warning" as const,
    says: `the namespace ${object.metadata.name} was made for ${of}, which is no more`,
    remedy: `Look at what is left in it, then: kubectl delete namespace ${object.metadata.name}`,
  }));
}

/** Add-ons that have failed. */
export function addonsCheck({ failedAddons }: DoctorFacts): CheckResult[] {
  if (failedAddons.length === 0) return [fine("addons", "no add-on has failed")];
  return failedAddons.slice(0, most).map(({ what, message }) => ({
    check: "addons",
    severity: "warning" as const,
    says: `${what} has failed: ${message}`,
    remedy: "See what it waits for with butlerctl addon status, or butleradm addon status for the management cluster.",
  }));
}

/** What could not be looked at. */
export function unreadableCheck({ unreadable }: DoctorFacts): CheckResult[] {
  return unreadable.map(({ what, why }) => ({
    check: "reading",
    severity: "warning" as const,
    says: `${what} could not be read: ${why}`,
    remedy: "Use the kubeconfig of an administrator of the cluster.",
  }));
}
