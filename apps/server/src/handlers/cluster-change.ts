import { annotations, mainPoolName, type TenantCluster, upgradeFault } from "@butler/api";
import type { ClusterChange } from "@butler/contract";
import { isRecord } from "@butler/std";
import { RouteProblem } from "../http/problem.ts";

type Patch = Readonly<Record<string, unknown>>;

/** The patch of a spec that a change comes to; undefined when it changes nothing. */
export function planChange(cluster: TenantCluster, change: ClusterChange): Patch | undefined {
  const { kubernetesVersion: version, controlPlane, workers, paused } = change;
  if (version !== undefined) requireUpgrade(cluster, version);
  const before = cluster.spec.controlPlane.replicas;
  const after = controlPlane?.replicas ?? before;
  if (before > 1 && after === 1 && change.acknowledgeDowngrade !== true) {
    throw fault(
      "controlPlane.replicas",
      "ACKNOWLEDGE",
      "a single replica is unavailable during node outages; set acknowledgeDowngrade to true to confirm",
    );
  }
  if (change.spec !== undefined) requireOwnField(change.spec);
  const spec = { ...change.spec, ...given({ kubernetesVersion: version, controlPlane, workers, paused }) };
  return Object.keys(spec).length === 0 ? undefined : { spec };
}

/** The owner of a cluster cannot be changed this way: access to the cluster depends on it. */
function requireOwnField(spec: Patch): void {
  if ("teamRef" in spec) throw fault("spec.teamRef", "IMMUTABLE", "the team of a cluster cannot be changed");
}

/** The patch that upgrades a cluster; throws if the upgrade is not supported. */
export function planUpgrade(cluster: TenantCluster, version: string): Patch {
  requireUpgrade(cluster, version);
  return { spec: { kubernetesVersion: version } };
}

function requireUpgrade({ metadata, spec, status }: TenantCluster, version: string): void {
  const running = status?.observedState?.kubernetesVersion;
  // Both count: the running version cannot skip a minor, and an upgrade in progress cannot be reverted.
  const from = [spec.kubernetesVersion, running].filter((known) => known !== undefined);
  const reason = (from.length === 0 ? [version] : from).map((known) => upgradeFault(known, version)).find(Boolean);
  if (reason !== undefined) throw fault("kubernetesVersion", "UNSUPPORTED", `${metadata.name} ${reason}`);
}

/** The patch that changes the number of workers of a pool. */
export function planScale(cluster: TenantCluster, replicas: number, pool: string = mainPoolName): Patch {
  if (pool === mainPoolName) {
    if (replicas < 1) throw fault("replicas", "MINIMUM", "the main pool requires at least 1 worker");
    return { spec: { workers: { replicas } } };
  }
  const pools = cluster.spec.workerPools ?? [];
  if (!pools.some(({ name }) => name === pool)) {
    const known = [mainPoolName, ...pools.map(({ name }) => name)].join(", ");
    throw fault("pool", "NOT_FOUND", `pool ${pool} not found; available pools: ${known}`);
  }
  return { spec: { workerPools: pools.map((each) => (each.name === pool ? { ...each, replicas } : each)) } };
}

/** The patch that enables or disables deletion protection. */
export function planProtection(isProtected: boolean): Patch {
  return { metadata: { annotations: { [annotations.deletionProtection]: isProtected ? "true" : null } } };
}

function given(parts: Patch): Patch {
  return Object.fromEntries(
    Object.entries(parts).filter(
      ([, value]) => value !== undefined && !(isRecord(value) && Object.keys(value).length === 0),
    ),
  );
}

function fault(field: string, reason: string, message: string): RouteProblem {
  return new RouteProblem("INVALID", message, { causes: [{ field, reason, message }] });
}
