import { mainPoolName, maximumPoolSize, type PoolCounts, poolSizes } from "@butler/api";
import type { Blocker, ObjectMeta } from "@butler/resource";
import { type Decision, isLeaving, refused, refusedWhileLeaving } from "./decision.ts";
import { changeField, type JsonPatch } from "./field-patch.ts";

interface ScalableCluster {
  readonly metadata: ObjectMeta;
  readonly spec: PoolCounts;
}

/** The requested size of a pool. */
export interface Scaling {
  readonly pool: string;
  readonly workers: number;
}

/** Smallest size of a pool: only additional pools can be empty. */
export function smallestPool(pool: string): number {
  return pool === mainPoolName ? 1 : 0;
}

/** The number of workers that a user typed; NaN if it is not a whole number. */
export function readWorkers(text: string): number {
  return /^\d{1,9}$/.test(text.trim()) ? Number(text) : Number.NaN;
}

/** Decides about a new number of workers in one pool. */
export function decideScale(cluster: ScalableCluster, { pool, workers }: Scaling): Decision {
  const { name } = cluster.metadata;
  if (isLeaving(cluster.metadata)) return refusedWhileLeaving(name);
  const pools = poolSizes(cluster.spec);
  const before = pools.find((each) => each.name === pool)?.replicas;
  if (before === undefined) {
    const remedy = `available pools: ${pools.map((each) => each.name).join(", ")}`;
    return refused({ reason: "NOT_FOUND", field: "pool", message: `pool ${pool} not found`, remedy });
  }
  const blocker = sizeBlocker({ pool, workers });
  if (blocker !== undefined) return refused({ ...blocker, field: "replicas" });
  const what = pool === mainPoolName ? name : `${name}, pool ${pool},`;
  if (workers === before) return { state: "unchanged", message: `${what} already has ${counted(workers, "worker")}` };
  const summary = `Scaling ${what} from ${before} to ${counted(workers, "worker")}.`;
  const effects = [summary, ...removal(before - workers)];
  return { state: "change", patch: scalePatch(cluster, { pool, workers }), summary, effects };
}

function sizeBlocker({ pool, workers }: Scaling): Blocker | undefined {
  const least = smallestPool(pool);
  if (workers === 0 && least > 0) {
    return { reason: "MINIMUM", message: "the main pool requires at least 1 worker" };
  }
  if (Number.isInteger(workers) && workers >= least && workers <= maximumPoolSize) return undefined;
  const message = `the number of workers must be a whole number from ${least} to ${maximumPoolSize}`;
  return { reason: "OUT_OF_RANGE", message };
}

function removal(lost: number): string[] {
  if (lost <= 0) return [];
  return [`${counted(lost, "machine")} ${lost === 1 ? "is" : "are"} removed; pods are rescheduled.`];
}

/** Additional pools are a list: the patch also tests that the pool is still at the same position. */
function scalePatch(cluster: ScalableCluster, { pool, workers }: Scaling): JsonPatch {
  if (pool === mainPoolName) return changeField(cluster, ["spec", "workers", "replicas"], workers);
  const at = String((cluster.spec.workerPools ?? []).findIndex(({ name }) => name === pool));
  return [
    { op: "test", path: `/spec/workerPools/${at}/name`, value: pool },
    ...changeField(cluster, ["spec", "workerPools", at, "replicas"], workers),
  ];
}

function counted(count: number, word: string): string {
  return `${count} ${count === 1 ? word : `${word}s`}`;
}
