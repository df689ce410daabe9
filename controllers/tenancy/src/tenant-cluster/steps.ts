import type { TenantCluster } from "@butler/api";
import type { Progress } from "./progress.ts";

type Step = NonNullable<NonNullable<TenantCluster["status"]>["steps"]>[number];

/** In the order in which they finish; each starts when those before it are done. */
const order = ["Accepted", "ControlPlane", "Workers", "Addons", "Ready"] as const;

/**
 * The duration of the cluster's creation, step by step. A finished step never changes: these
 * are the times of the first creation.
 */
export function nextSteps({ metadata, status }: TenantCluster, progress: Progress, now: Date): Step[] {
  const time = now.toISOString();
  const isDone: Record<(typeof order)[number], boolean> = {
    Accepted: true,
    ControlPlane: progress.controlPlane.status === "True",
    Workers: progress.workers.status === "True",
    Addons: progress.addonsBlocker === undefined,
    Ready: progress.blocker === undefined,
  };
  return order.map((name) => {
    const before = status?.steps?.find((step) => step.name === name);
    if (before?.finishedAt !== undefined) return before;
    const startedAt = before?.startedAt ?? (name === "Accepted" ? (metadata.creationTimestamp ?? time) : time);
    return { name, startedAt, ...(isDone[name] ? { finishedAt: time } : {}) };
  });
}
