import type { LocalCluster } from "@butler/api";
import { type ApiEndpoint, type Cluster, kubeconfigSecretName } from "@butler/api-external";
import { digestOf, holds, lacks } from "@butler/controller";
import type { ConditionStatement } from "@butler/resource";
import type { TenantObjects } from "../ports/tenant-writer.ts";
import { buildPodNetwork, podNetworkKinds } from "./manifests.ts";

export type PodNetworkEffect = { readonly type: "writeToTenant" } & TenantObjects;

/** What the decision about a cluster's pod network is made from. */
export interface NetworkFacts {
  readonly localCluster: LocalCluster;
  readonly cluster: Cluster | undefined;
  readonly endpoint: ApiEndpoint | undefined;
  readonly hasKubeconfig: boolean;
  readonly isProvisioned: boolean;
}

/** A cluster's part of the plan that is about its pod network. */
export interface NetworkPlan {
  readonly effects: readonly PodNetworkEffect[];
  readonly status?: NonNullable<LocalCluster["status"]>["podNetwork"];
  readonly condition: ConditionStatement;
  readonly requeueAfterMs?: number;
}

/** The image that every node has, since no pod starts without it. */
const agentImage = "registry.k8s.io/pause:3.10.2";

/** What is deleted or changed in the tenant's cluster is put right after this long at most. */
const repairIntervalMs = 600_000;

const type = "PodNetworkInstalled";

/**
 * Machines that are pods come with a network of their own, so that a cluster works without anything being fetched. It is
 * put into the cluster once that answers; Cluster API need not wait for it.
 */
export function planPodNetwork(facts: NetworkFacts, now: Date): NetworkPlan {
  const { localCluster, cluster, endpoint, hasKubeconfig, isProvisioned } = facts;
  if (localCluster.spec.podNetwork === "None") {
    const message = "spec.podNetwork says that something else brings the network";
    return { effects: [], condition: lacks(type, "NotWanted", message) };
  }
  if (!isProvisioned || !hasKubeconfig || cluster === undefined || endpoint === undefined) {
    const status = localCluster.status?.podNetwork;
    const condition = lacks(type, "WaitingForControlPlane", "the control plane is not there yet");
    return { effects: [], condition, ...(status === undefined ? {} : { status }) };
  }
  const objects = buildPodNetwork(endpoint, agentImage);
  const digest = digestOf(objects);
  const condition = holds(type, "Installed", "pods of different machines reach each other");
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
  // A time in the future is that of a clock that was wrong.
  return ageMs < 0 ? 0 : repairIntervalMs - ageMs;
}
