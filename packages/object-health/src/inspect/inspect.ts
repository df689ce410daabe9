import type { KubeClient } from "@butler/kube";
import { builtinKinds, type KubeObject } from "@butler/resource";
import { mapBounded } from "../map-bounded.ts";
import type { ManifestObject } from "../manifest/manifest-object.ts";
import type { Readiness } from "../objects/readiness.ts";
import { readinessOf } from "../objects/readiness-of.ts";
import { claimReadiness, lateClassesOf } from "../objects/storage.ts";
import { notServed, place, type PlacedObject, removesItself } from "./placed-object.ts";
import { hasPods, podReason } from "./pod-reasons.ts";
import { listWhole, mostRequests, readLive } from "./read-live.ts";
import { ServedKinds } from "./served-kinds.ts";

/** An object that is not ready. */
export interface WaitingObject {
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly state: "progressing" | "failed" | "missing";
  readonly message: string;
}

/** How many objects of a chart are ready, and what the rest is waiting for: failed objects first, then missing ones. */
export interface Inspection {
  readonly total: number;
  readonly ready: number;
  readonly waiting: readonly WaitingObject[];
}

/** Options of an inspection. */
export interface InspectOptions {
  /** The release's namespace, for objects that name none. */
  readonly namespace: string;
  readonly signal?: AbortSignal | undefined;
}

/** The part of a client that an inspection uses. */
export type InspectClient = Pick<KubeClient, "list" | "discover">;

/** Maximum number of workloads whose pods are read for a reason; status shows no more. */
const mostWorkloads = 20;

interface Verdict {
  readonly placed: PlacedObject;
  readonly live: KubeObject | undefined;
  readonly state: Readiness["state"] | "missing";
  readonly message: string;
}

/** Inspects the objects of a manifest in a cluster. */
export async function inspect(
  client: InspectClient,
  objects: readonly ManifestObject[],
  { namespace, signal }: InspectOptions,
): Promise<Inspection> {
  const kinds = new ServedKinds(client, signal);
  const placed = await mapBounded(objects, mostRequests, (wanted) => place(wanted, namespace, kinds));
  const { found, unserved } = await readLive(client, placed, signal);
  for (const { wanted } of unserved) kinds.forget(wanted.apiVersion);
  const judged = placed.map((each): Verdict => {
    const isServed = each.kind !== undefined && !unserved.has(each);
    return judge(each, { live: found.get(each), isServed });
  });
  const forgiven = await forgiveLateClaims(client, judged, signal);
  const waiting = forgiven.filter(({ state }) => state !== "ready").sort(byUrgency);
  return {
    total: objects.length,
    ready: objects.length - waiting.length,
    waiting: await explain(client, waiting, signal),
  };
}

function judge(placed: PlacedObject, { live, isServed }: { live: KubeObject | undefined; isServed: boolean }): Verdict {
  if (live !== undefined) return { placed, live, ...readinessOf(live) };
  if (!isServed) return { placed, live, state: "missing", message: notServed(placed) };
  if (removesItself(placed)) return { placed, live, state: "ready", message: "finished and cleaned up" };
  return { placed, live, state: "missing", message: "not found" };
}

/** Pending claims with volume binding mode WaitForFirstConsumer count as ready; their storage class has that mode. */
async function forgiveLateClaims(
  client: InspectClient,
  verdicts: readonly Verdict[],
  signal: AbortSignal | undefined,
): Promise<readonly Verdict[]> {
  const isPendingClaim = ({ live, state }: Verdict): boolean =>
    live?.kind === "PersistentVolumeClaim" && state === "progressing" && live.metadata.deletionTimestamp === undefined;
  if (!verdicts.some(isPendingClaim)) return verdicts;
  const classes = lateClassesOf(await listWhole(client, builtinKinds.StorageClass, { signal }));
  return verdicts.map((each) =>
    each.live !== undefined && isPendingClaim(each) ? { ...each, ...claimReadiness(each.live, classes) } : each,
  );
}

const urgency: Readonly<Record<Verdict["state"], number>> = { failed: 0, missing: 1, progressing: 2, ready: 3 };

function byUrgency(left: Verdict, right: Verdict): number {
  return urgency[left.state] - urgency[right.state];
}

async function explain(
  client: InspectClient,
  waiting: readonly Verdict[],
  signal: AbortSignal | undefined,
): Promise<readonly WaitingObject[]> {
  const workloads = waiting.filter(({ live }) => live !== undefined && hasPods(live)).slice(0, mostWorkloads);
  const reasons = new Map<Verdict, string | undefined>();
  await mapBounded(workloads, mostRequests, async (verdict) => {
    if (verdict.live !== undefined) reasons.set(verdict, await podReason(client, verdict.live, signal));
  });
  return waiting.map((verdict) => waitingObject(verdict, reasons.get(verdict)));
}

function waitingObject({ placed, state, message }: Verdict, reason: string | undefined): WaitingObject {
  const { name, namespace } = placed.key;
  return {
    kind: placed.wanted.kind,
    ...(namespace === undefined ? {} : { namespace }),
    name,
    state: state === "ready" ? "progressing" : state,
    message: reason === undefined ? message : `${message}; ${reason}`,
  };
}
