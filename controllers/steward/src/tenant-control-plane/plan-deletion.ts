import { holds, lacks, type Plan, type Removal } from "@butler/controller";
import type { TenantControlPlaneEffect } from "./effects.ts";
import { Deployment } from "./kinds.ts";
import { abandonDataStoreAnnotation } from "./names.ts";
import type { Observed, Trouble } from "./observed.ts";

/** Pods that are still there then do not go by themselves: their node may be gone. Longer than pods are given to stop. */
const longestStopMs = 90_000;

/**
 * Decides how a control plane goes: its pods stop, nothing of it stays in its store, and everything else goes with the
 * object that owns it. A store that is gone is told, and given up only when somebody says so.
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
  // An etcd of its own goes with it, volumes and all.
  if (hasOwnEtcd || store.found?.dedicated !== undefined) return { finalizer: "release" };
  const trouble = storeTrouble(observed);
  if (trouble !== undefined) return { finalizer: "hold", ...told(trouble) };
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
 * How long the pods may still take to stop. The store is theirs until then: an API server that is refused by it does not
 * get to its end, and is killed only when all of its time is over.
 */
function stopTimeMs({ tcp, pods }: Observed, now: Date): number {
  const { deletionTimestamp } = tcp.metadata;
  if (pods.length === 0 || deletionTimestamp === undefined) return 0;
  return Math.max(0, new Date(deletionTimestamp).getTime() + longestStopMs - now.getTime());
}

const stoppingPods: Trouble = { reason: "StoppingPods", message: "the pods are being stopped" };

function isGivenUp({ tcp }: Observed): boolean {
  return tcp.metadata.annotations?.[abandonDataStoreAnnotation] === "true";
}

/** What goes well takes a moment and needs no telling. */
function toldWhenSlow({ tcp }: Observed, trouble: Trouble): Pick<Plan, "conditions"> {
  const isSlow = tcp.status?.conditions?.some(({ type, status }) => type === "Ready" && status === "False") === true;
  return isSlow ? told(trouble) : {};
}

function storeTrouble({ store, identity }: Observed): Trouble | undefined {
  if (store.found !== undefined) return undefined;
  return {
    reason: "DataStoreGone",
    message:
      `DataStore ${store.name} no longer exists, so the keys below ${identity.prefix} and the user ${identity.user} ` +
      `cannot be removed. Make the DataStore again, or give the data up with the annotation ${abandonDataStoreAnnotation}=true.`,
  };
}

function removingData({ store }: Observed): Trouble {
  return { reason: "RemovingData", message: `the data is being removed from DataStore ${store.name}` };
}

function told({ reason, message }: Trouble): Pick<Plan, "conditions"> {
  return {
    conditions: [lacks("Ready", "Deleting", "the control plane is being deleted"), holds("Deleting", reason, message)],
  };
}
