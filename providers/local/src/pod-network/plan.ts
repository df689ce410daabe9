import type { LocalCluster } from "@butler/api";
import { type ApiEndpoint, type Cluster, kubeconfigSecretName } from "@butler/api-external";
import { digestOf, holds, lacks } from "@butler/controller";
import type { ConditionStatement } from "@butler/resource";
import type { TenantObjects } from "../ports/tenant-writer.ts";
import { buildPodNetwork, podNetworkKinds } from "./manifests.ts";

export type PodNetworkEffect = { readonly type: "writeToTenant" } & TenantObjects;

/** The input of the pod network plan. */
export interface NetworkFacts {
  readonly localCluster: LocalCluster;
  readonly cluster: Cluster | undefined;
  readonly endpoint: ApiEndpoint | undefined;
  readonly hasKubeconfig: boolean;
  readonly isProvisioned: boolean;
}

/** The part of a cluster's plan about its pod network. */
export interface NetworkPlan {
  readonly effects: readonly PodNetworkEffect[];
  readonly status?: NonNullable<LocalCluster["status"]>["podNetwork"];
  readonly condition: ConditionStatement;
  readonly requeueAfterMs?: number;
}

/** An image that every node has, because no pod starts without it. */
const agentImage = "registry.k8s.io/pause:3.10.2";

/** Changes in the tenant's cluster are reverted after this time at most. */
const repairIntervalMs = 600_000;

const type = "PodNetworkInstalled";

/**
 * Machines that are pods have a built-in network, so that a cluster works without downloads. It is applied once the
 * control plane responds; Cluster API need not wait for it.
 */
export function planPodNetwork(facts: NetworkFacts, now: Date): NetworkPlan {
  const { localCluster, cluster, endpoint, hasKubeconfig, isProvisioned } = facts;
  if (localCluster.spec.podNetwork === "None") {
    const message = "spec.podNetwork is None";
    return { effects: [], condition: lacks(type, "NotWanted", message) };
  }
  if (!isProvisioned || !hasKubeconfig || cluster === undefined || endpoint === undefined) {
    const status = localCluster.status?.podNetwork;
    const condition = lacks(type, "WaitingForControlPlane", "waiting for the control plane");
    return { effects: [], condition, ...(status === undefined ? {} : { status }) };
  }
  const objects = buildPodNetwork(endpoint, agentImage);
  const digest = digestOf(objects);
  const condition = holds(type, "Installed", "pod network installed");
  const applied = localCluster.status?.podNetwork;
  const dueInMs = dueIn(applied, digest, now);
  if (dueInMs > 0 && applied !== undefined) {
    return { effects: [], status: applied, condition, requeueAfterMs: dueInMs };
  }
  const kubeconfig = { name: kubeconfigSecretName(cluster.metadata.name), namespace: cluster.metadata.namespace };
  return {
    effects: [{ type: "writeToTenant", kubeconfig, kinds: podNetworkKinds, objects }],
    status: { digest, lastApplied: now.toISOString() },
    condition,
    requeueAfterMs: repairIntervalMs,
  };
}

function dueIn(applied: NetworkPlan["status"], digest: string, now: Date): number {
  if (applied?.lastApplied === undefined || applied.digest !== digest) return 0;
  const ageMs = now.getTime() - Date.parse(applied.lastApplied);
  // A timestamp in the future was written with a wrong clock.
  return ageMs < 0 ? 0 : repairIntervalMs - ageMs;
}
