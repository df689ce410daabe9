import type { Observed } from "../plan.ts";
import {
  aCluster,
  aClusterSecret,
  aControlPlane,
  anAdminSecret,
  anAuthoritySecret,
  aTenant,
  endpoint,
  servingStatus,
} from "./objects.ts";

/** The current time in the tests of the plan. */
export const now = new Date("2026-01-01T00:00:00Z");
export const deletionTimestamp = "2026-01-01T00:00:00Z";

/** A control plane that has arrived, and what a test changes about it. */
export function observedWith(change: Partial<Observed> = {}): Observed {
  const controlPlane = aControlPlane({ spec: { controlPlaneEndpoint: endpoint } });
  return {
    controlPlane,
    cluster: aCluster({ spec: { controlPlaneEndpoint: endpoint } }),
    tenant: aTenant(controlPlane, { status: servingStatus() }),
    secrets: {
      admin: anAdminSecret(),
      authority: anAuthoritySecret(),
      clusterKubeconfig: aClusterSecret("kubeconfig"),
      clusterAuthority: undefined,
    },
    infrastructure: undefined,
    ...change,
  };
}
