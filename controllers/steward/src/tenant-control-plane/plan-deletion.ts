import { holds, lacks, type Plan, type Removal } from "@butler/controller";
import type { Blocker } from "@butler/resource";
import type { TenantControlPlaneEffect } from "./effects.ts";
import { Deployment } from "./kinds.ts";
import { abandonDataStoreAnnotation } from "./names.ts";
import type { Observed } from "./observed.ts";

/** Pods that still exist then do not terminate on their own: their node may be lost. Longer than their grace period. */
const longestStopMs = 90_000;

/**
 * Plans the deletion of a control plane: stop its pods, delete its data from the store, and leave the rest to garbage
 * collection. A missing store is reported, and skipped only when the user abandons the data.
 */
export function planDeletion(observed: Observed, now: Date): Plan<TenantControlPlaneEffect> {
  const { tcp, keptAs, isStoreClean } = observed;
  const remove = podsToStop(observed);
  if (keptAs !== undefined) {
    return { finalizer: "hold", remove, effects: [{ type: "forgetTenant", uid: tcp.metadata.uid ?? "" }] };
  }
  if (isStoreClean || isGivenUp(observed)) return { finalizer: "release", remove };
  const stopMs = stopTimeMs(observed, now);
  if (stopMs > 0) return { finalizer: "hold", remove, requeueAfterMs: stopMs, ...toldWhenSlow(observed, stoppingPods) };
  return { ...planCleaning(observed), remove };
}

function planCleaning(observed: Observed): Plan<TenantControlPlaneEffect> {
  const { store, hasOwnEtcd } = observed;
  // A dedicated etcd is deleted with it, including its volumes.
  if (hasOwnEtcd || store.found?.dedicated !== undefined) return { finalizer: "release" };
  const blocker = storeBlocker(observed);
  if (blocker !== undefined) return { finalizer: "hold", ...told(blocker) };
  return {
    finalizer: "hold",
    effects: [cleaning(observed)],
    ...toldWhenSlow(observed, removingData(observed)),
  };
}

function cleaning({ tcp, store, identity }: Observed): TenantControlPlaneEffect {
  return { type: "removeFromStore", uid: tcp.metadata.uid ?? "", dataStore: store.name, tenant: identity };
}

function podsToStop({ tcp, deployment }: Observed): Removal[] {
  const { name, namespace, uid } = tcp.metadata;
  const isOwn = deployment?.metadata.ownerReferences?.some((owner) => owner.uid === uid) === true;
  return isOwn ? [{ kind: Deployment, name, namespace, uid: deployment.metadata.uid }] : [];
}

/**
 * How long the pods may still take to stop. They need the store until then: an API server that the store rejects cannot
 * shut down, and is killed only at the end of its grace period.
 */
function stopTimeMs({ tcp, pods }: Observed, now: Date): number {
  const { deletionTimestamp } = tcp.metadata;
  if (pods.length === 0 || deletionTimestamp === undefined) return 0;
  return Math.max(0, new Date(deletionTimestamp).getTime() + longestStopMs - now.getTime());
}

const stoppingPods: Blocker = { reason: "StoppingPods", message: "waiting for the pods to terminate" };

function isGivenUp({ tcp }: Observed): boolean {
  return tcp.metadata.annotations?.[abandonDataStoreAnnotation] === "true";
}

/** A normal deletion is short and needs no status. */
function toldWhenSlow({ tcp }: Observed, blocker: Blocker): Pick<Plan, "conditions"> {
  const isSlow = tcp.status?.conditions?.some(({ type, status }) => type === "Ready" && status === "False") === true;
  return isSlow ? told(blocker) : {};
}

function storeBlocker({ store, identity }: Observed): Blocker | undefined {
  if (store.found !== undefined) return undefined;
  return {
    reason: "DataStoreGone",
    message:
      `DataStore ${store.name} no longer exists, so the keys under ${identity.prefix} and the user ${identity.user} ` +
      `cannot be deleted. Recreate the DataStore, or set the annotation ${abandonDataStoreAnnotation}=true to abandon the data.`,
  };
}

function removingData({ store }: Observed): Blocker {
  return { reason: "RemovingData", message: `deleting the data from DataStore ${store.name}` };
}

function told({ reason, message }: Blocker): Pick<Plan, "conditions"> {
  return {
    conditions: [lacks("Ready", "Deleting", "the control plane is being deleted"), holds("Deleting", reason, message)],
  };
}
