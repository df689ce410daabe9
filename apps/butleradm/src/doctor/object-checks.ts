import { clusterPhase, labels, type NetworkPool } from "@butler/api";
import { findCondition, isBeingDeleted, isConditionTrue, keyText, type KubeObject } from "@butler/resource";
import { formatAge } from "@butler/std";
import { counted } from "../common/words.ts";
import { type CheckResult, fine } from "../platform/check-result.ts";
import type { DoctorFacts } from "../platform/facts.ts";

/** Maximum results per check; more have a common cause. */
const most = 10;
const stuckAfterMs = 15 * 60_000;

/** Objects that are stuck in deletion. */
export function finalizersCheck({ leaving, now }: DoctorFacts): CheckResult[] {
  const check = "deletions";
  const overdueMs = ({ metadata }: KubeObject): number => now.getTime() - Date.parse(metadata.deletionTimestamp ?? "");
  const stuck = leaving.filter((object) => overdueMs(object) > stuckAfterMs);
  if (stuck.length === 0) return [fine(check, "no deletions are stuck")];
  return stuck.slice(0, most).map((object) => {
    const { kind, metadata } = object;
    const held = metadata.finalizers ?? [];
    return {
      check,
      severity: "fault" as const,
      says: `${kind} ${keyText(metadata)} has been terminating for ${formatAge(overdueMs(object))}, blocked by ${held.join(", ") || "its contents"}`,
      remedy:
        kind === "TenantCluster"
          ? `Find the cause with: butlerctl cluster why ${metadata.name} -n ${metadata.namespace ?? ""}`
          : "Check that the controller that owns the finalizer is running, and read its log. Removing a finalizer manually can leave resources behind.",
    };
  });
}

/** Clusters that are not ready, with their causes. */
export function clustersCheck({ clusters, causes }: DoctorFacts): CheckResult[] {
  const check = "clusters";
  const waiting = clusters.filter((cluster) => clusterPhase(cluster) !== "Ready");
  if (waiting.length === 0)
    return [
      fine(
        check,
        clusters.length === 0 ? "no clusters" : counted(clusters.length, "cluster is ready", "clusters are ready"),
      ),
    ];
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
      says: counted(rest, "more cluster is not ready", "more clusters are not ready"),
      remedy: "List them with: butlerctl cluster list -A",
    });
  return results;
}

/** Pools that are running out of addresses. */
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
        remedy: `List its allocations with: butleradm network show ${metadata.name}. Extend the pool, or add another one.`,
      },
    ];
  });
  return results.length > 0
    ? results
    : [fine(check, counted(pools.length, "pool has free addresses", "pools have free addresses"))];
}

function isFull({ status }: NetworkPool, type: string): boolean {
  return findCondition(status?.conditions, type)?.status === "True";
}

/** DataStores of control planes that are not ready. */
export function storesCheck({ dataStores }: DoctorFacts): CheckResult[] {
  const check = "stores";
  const down = dataStores.filter(({ status }) => !isConditionTrue(status?.conditions, "Ready"));
  if (dataStores.length === 0) {
    const remedy = "Steward creates one when it becomes the leader, unless steward.defaultDataStore.enabled is false.";
    return [{ check, severity: "warning", says: "no DataStore for control plane state", remedy }];
  }
  if (down.length === 0) return [fine(check, counted(dataStores.length, "DataStore is ready", "DataStores are ready"))];
  return down.map(({ metadata, status }) => ({
    check,
    severity: "fault" as const,
    says: `the DataStore ${metadata.name} is not ready: ${findCondition(status?.conditions, "Ready")?.message ?? "no Ready condition reported yet"}`,
    remedy: `Check its conditions with: kubectl describe datastore ${metadata.name}`,
  }));
}

/** Orphaned namespaces, whose cluster or team no longer exists. */
export function namespacesCheck({ namespaces, clusters, teams, unreadable }: DoctorFacts): CheckResult[] {
  const check = "namespaces";
  // Without read access, nothing can be considered missing.
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
  if (orphans.length === 0) return [fine(check, `no orphaned namespaces (${namespaces.length} checked)`)];
  return orphans.slice(0, most).map(({ object, of }) => ({
    check,
    severity: "warning" as const,
    says: `the namespace ${object.metadata.name} was created for ${of}, which no longer exists`,
    remedy: `Check its contents, then delete it: kubectl delete namespace ${object.metadata.name}`,
  }));
}

/** Add-ons that have failed. */
export function addonsCheck({ failedAddons }: DoctorFacts): CheckResult[] {
  if (failedAddons.length === 0) return [fine("addons", "no add-ons have failed")];
  return failedAddons.slice(0, most).map(({ what, message }) => ({
    check: "addons",
    severity: "warning" as const,
    says: `${what} has failed: ${message}`,
    remedy: "Check its status with butlerctl addon status, or butleradm addon status for the management cluster.",
  }));
}

/** Objects that could not be read. */
export function unreadableCheck({ unreadable }: DoctorFacts): CheckResult[] {
  return unreadable.map(({ what, why }) => ({
    check: "reading",
    severity: "warning" as const,
    says: `cannot read ${what}: ${why}`,
    remedy: "Use a kubeconfig with cluster administrator permissions.",
  }));
}
