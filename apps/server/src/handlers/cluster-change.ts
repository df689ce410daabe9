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
    throw fault("controlPlane.replicas", "ACKNOWLEDGE", "one replica is away while its machine is; acknowledge it");
  }
  if (change.spec !== undefined) requireOwnField(change.spec);
  const spec = { ...change.spec, ...given({ kubernetesVersion: version, controlPlane, workers, paused }) };
  return Object.keys(spec).length === 0 ? undefined : { spec };
}

/** Who owns a cluster is not changed by the way: what may be done with it hangs on that. */
function requireOwnField(spec: Patch): void {
  if ("teamRef" in spec) throw fault("spec.teamRef", "IMMUTABLE", "a cluster stays with its team");
}

/** The patch that raises a cluster's version; throws when it cannot go there. */
export function planUpgrade(cluster: TenantCluster, version: string): Patch {
  requireUpgrade(cluster, version);
  return { spec: { kubernetesVersion: version } };
}

function requireUpgrade({ metadata, spec, status }: TenantCluster, version: string): void {
  const running = status?.observedState?.kubernetesVersion;
  // Both count: what runs cannot skip a version, and what was asked for is not taken back on the way.
  const from = [spec.kubernetesVersion, running].filter((known) => known !== undefined);
  const reason = (from.length === 0 ? [version] : from).map((known) => upgradeFault(known, version)).find(Boolean);
  if (reason !== undefined) throw fault("kubernetesVersion", "UNSUPPORTED", `${metadata.name} ${reason}`);
}

/** The patch that changes the number of workers of a pool. */
export function planScale(cluster: TenantCluster, replicas: number, pool: string = mainPoolName): Patch {
  if (pool === mainPoolName) {
    if (replicas < 1) throw fault("replicas", "MINIMUM", "the main pool keeps at least 1 worker machine");
    return { spec: { workers: { replicas } } };
  }
  const pools = cluster.spec.workerPools ?? [];
  if (!pools.some(({ name }) => name === pool)) {
    const known = [mainPoolName, ...pools.map(({ name }) => name)].join(", ");
    throw fault("pool", "NOT_FOUND", `there is no pool ${pool}; there are ${known}`);
  }
  return { spec: { workerPools: pools.map((each) => (each.name === pool ? { ...each, replicas } : each)) } };
}

/** The patch by which the deletion of a cluster is refused, or refused no longer. */
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
