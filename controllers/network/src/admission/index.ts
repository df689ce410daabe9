/** Validates pools on create, update and delete, with what is read from the API server itself, never from a cache. */
import { IPAllocation, NetworkPool } from "@butler/api";
import type { PolicyRule } from "@butler/controller";
import type { AdmissionHandler, KubeClient } from "@butler/kube";
import { networkPoolAdmission } from "./network-pool.ts";

/** The admission handlers of network kinds. */
export function networkAdmission(client: Pick<KubeClient, "list">): readonly AdmissionHandler[] {
  return [networkPoolAdmission(client)] as readonly AdmissionHandler[];
}

/** Their permissions. */
export const networkAdmissionPermissions: readonly PolicyRule[] = [
  { apiGroups: [NetworkPool.group], resources: [IPAllocation.plural, NetworkPool.plural], verbs: ["list"] },
];
