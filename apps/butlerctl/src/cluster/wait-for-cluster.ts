import { clusterPhase, type TenantCluster } from "@butler/api";
import { Progress, shellCommand, type Terminal, type Verdict, waitUntil } from "@butler/cli-kit";
import { findCondition, isBeingDeleted, isConditionTrue, keyOf } from "@butler/resource";
import { InvalidInput, NotFound, Unavailable } from "@butler/std";
import type { Session } from "@butler/cli-session";
import { progressLines, type ProgressText } from "./progress-lines.ts";
import { observeCluster } from "./watch-clusters.ts";

interface Waiting {
  readonly terminal: Terminal;
  readonly session: Session;
  readonly timeoutMs: number;
}

type Seen = TenantCluster | undefined;

/** Waits until a cluster is ready, printing progress. */
export function waitForReady(waiting: Waiting, cluster: TenantCluster): Promise<Seen> {
  const { name } = cluster.metadata;
  return waitForGoal(waiting, cluster, { what: `${name} to be ready`, judge: (seen) => judgeReady(seen, cluster) });
}

/** Waits until a cluster is deleted, printing progress. */
export function waitForGone(waiting: Waiting, cluster: TenantCluster): Promise<Seen> {
  const { name } = cluster.metadata;
  return waitForGoal(waiting, cluster, { what: `${name} to be deleted`, judge: (seen) => judgeGone(seen, cluster) });
}

/** What to wait for, and when it is reached. */
interface Goal {
  readonly what: string;
  readonly judge: (seen: Seen) => Verdict;
}

/** Waits until a cluster reaches a goal, printing progress. */
export function waitForGoal(
  { terminal, session, timeoutMs }: Waiting,
  cluster: TenantCluster,
  goal: Goal,
): Promise<Seen> {
  const { clock, signal, sayPaint } = terminal;
  const { name, namespace = "" } = cluster.metadata;
  const startMs = clock.monotonicMs();
  const text: ProgressText = { paint: sayPaint, elapsedMs: () => clock.monotonicMs() - startMs };
  return waitUntil<Seen>({
    ...goal,
    observe: (ended) => observeCluster(session.client, keyOf(cluster), ended),
    tell: (before, after) => (after === undefined ? [] : progressLines(before, after, text)),
    timeoutMs,
    hint: `The operation continues in the background. Check progress with: ${shellCommand("butlerctl", "cluster", "why", name, "-n", namespace)}`,
    progress: new Progress(terminal),
    clock,
    signal,
  });
}

/** Whether a cluster is ready and matches its spec. */
export function judgeReady(seen: Seen, { metadata: { name, uid } }: TenantCluster): Verdict {
  if (seen === undefined || seen.metadata.uid !== uid || isBeingDeleted(seen)) {
    return { state: "failed", error: new NotFound(`${name} was deleted while waiting`) };
  }
  const { phase, conditions, observedGeneration = 0 } = seen.status ?? {};
  if (observedGeneration < (seen.metadata.generation ?? 0)) {
    return { state: "waiting", for: "the controller has not observed the change yet" };
  }
  const message = findCondition(conditions, "Ready")?.message || clusterPhase(seen);
  if (phase === "Failed") {
    return { state: "failed", error: new Unavailable(`${name} has failed: ${message}`, { hint: hintFor(seen) }) };
  }
  return isComplete(seen) ? { state: "done" } : { state: "waiting", for: message };
}

function isComplete({ status = {} }: TenantCluster): boolean {
  const { phase, conditions, workerNodesReady = 0, workerNodesDesired = 0 } = status;
  return phase === "Ready" && isConditionTrue(conditions, "Ready") && workerNodesReady >= workerNodesDesired;
}

/** Whether a cluster is deleted completely. */
export function judgeGone(seen: Seen, { metadata: { name, uid } }: TenantCluster): Verdict {
  if (seen === undefined || seen.metadata.uid !== uid) return { state: "done" };
  if (!isBeingDeleted(seen)) return { state: "failed", error: new InvalidInput(`${name} is not being deleted`) };
  const conditions = seen.status?.conditions ?? [];
  const open = conditions.filter(({ type, status }) => /(Removed|Released)$/.test(type) && status === "False");
  const blocked = open.find(({ reason }) => reason !== "Waiting") ?? open[0];
  return { state: "waiting", for: blocked?.message || "removing its resources" };
}

function hintFor({ metadata: { name, namespace = "" } }: TenantCluster): string {
  return `Find the cause with: ${shellCommand("butlerctl", "cluster", "why", name, "-n", namespace)}`;
}

/** How to check the progress of a cluster, as a sentence. */
export function followHint({ metadata: { name, namespace = "" } }: TenantCluster): string {
  return `Check progress with: ${shellCommand("butlerctl", "cluster", "get", name, "-n", namespace, "--watch")}`;
}
