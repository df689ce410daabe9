import { holds, lacks, type Plan, type Removal } from "@butler/controller";
import type { TenantControlPlaneEffect } from "./effects.ts";
import { Deployment } from "./kinds.ts";
import { abandonDataStoreAnnotation } from "./names.ts";
import type { Observed, Trouble } from "./observed.ts";

/**
 * Decides how a control plane goes: its pods stop, nothing of it stays in its store, and everything else goes with the
 * object that owns it. A store that is gone is told, and given up only when somebody says so.
 */
export function planDeletion(observed: Observed): Plan<TenantControlPlaneEffect> {
  const { tcp, keptAs, isStoreClean, hasOwnEtcd, store } = observed;
  const { uid = "" } = tcp.metadata;
  const remove = podsToStop(observed);
  if (keptAs !== undefined) {
    return { finalizer: "hold", remove, effects: [{ type: "forgetTenant", uid }] };
  }
  // An etcd of its own goes with it, volumes and all.
  const hasOwnStore = hasOwnEtcd || store.found?.dedicated !== undefined;
  if (isStoreClean || hasOwnStore || isGivenUp(observed)) return { finalizer: "release", remove };
  const trouble = storeTrouble(observed);
  if (trouble !== undefined) return { finalizer: "hold", remove, ...told(trouble) };
  return {
    finalizer: "hold",
    remove,
    effects: [cleaning(observed)],
    // What goes well takes a moment and needs no telling.
    ...(isSlow(observed) ? told(removingData(observed)) : {}),
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

function isGivenUp({ tcp }: Observed): boolean {
  return tcp.metadata.annotations?.[abandonDataStoreAnnotation] === "true";
}

function isSlow({ tcp }: Observed): boolean {
  return tcp.status?.conditions?.some(({ type, status }) => type === "Ready" && status === "False") === true;
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
