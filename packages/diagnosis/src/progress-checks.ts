import { clusterPhase, type TenantCluster, wantedWorkers } from "@butler/api";
import { type Condition, findCondition, isConditionTrue } from "@butler/resource";
import { workersText } from "./cluster-texts.ts";
import type { ClusterFacts } from "./facts.ts";
import { because, busy, chainOf, type Check, type Diagnosis, type Link, stuck } from "./diagnosis.ts";

/** An add-on has failed. */
export const addonFails: Check = (facts) => {
  const { cluster } = facts;
  const { observedState, conditions } = cluster.status ?? {};
  const addon = observedState?.addons?.find(({ status }) => status === "Failed" || status === "Degraded");
  const lacking = [findCondition(conditions, "AddonsReady")].find((condition) => condition?.status === "False");
  const hasFailed = /Fail|Error|Degraded/.test(lacking?.reason ?? "");
  if (addon === undefined && !hasFailed) return undefined;
  const which = addon === undefined ? "An add-on" : `Add-on ${titleOf(addon)}`;
  return stuck(facts, {
    reason: "AddonFailed",
    message: `${which} on cluster ${cluster.metadata.name} is unhealthy${because(lacking?.message)}.`,
    remedy: `Check its status: ${addonCommand(cluster, addon?.name)}`,
    links: lacking === undefined ? [] : [[cluster, `AddonsReady=False (${lacking.reason})`]],
  });
};

function titleOf({ name, version }: { readonly name: string; readonly version: string }): string {
  return version === "unknown" ? name : `${name} ${version}`;
}

function addonCommand({ metadata: { name, namespace = "" } }: TenantCluster, addon: string | undefined): string {
  const words = addon === undefined ? ["list", name] : ["status", name, addon];
  return ["butlerctl", "addon", ...words, "-n", namespace].join(" ");
}

/** The cluster has failed, and only its own conditions give the reason. */
export const failed: Check = (facts) => {
  const { cluster } = facts;
  if (cluster.status?.phase !== "Failed") return undefined;
  const said = firstFalse(facts);
  return stuck(facts, {
    reason: said?.reason ?? "Failed",
    message: `${cluster.metadata.name} has failed${because(said?.message)}.`,
    remedy: "Fix the reported cause; reconciliation then resumes automatically.",
    links: said === undefined ? [] : [[cluster, `${said.type}=False (${said.reason})`]],
  });
};

/** The latest change has not been reconciled yet. */
export const notObserved: Check = (facts) => {
  const { cluster } = facts;
  const { generation = 0 } = cluster.metadata;
  if ((cluster.status?.observedGeneration ?? 0) >= generation) return undefined;
  return busy(facts, {
    reason: "ChangeNotTakenUp",
    message: `The latest change to ${cluster.metadata.name} has not been reconciled yet.`,
    remedy:
      "Wait a moment; if nothing changes, ask a platform administrator to check that butler-controller is running.",
    links: [[cluster, `generation ${generation}, observed ${cluster.status?.observedGeneration ?? 0}`]],
  });
};

/** The cluster is progressing without a known problem. */
export const onItsWay: Check = (facts) => {
  const { cluster } = facts;
  const { name, namespace = "" } = cluster.metadata;
  if (isComplete(cluster)) return undefined;
  const said = firstFalse(facts);
  const where = said === undefined ? `${workersText(cluster)} workers ready` : said.message || said.reason;
  const ofCluster: Link[] = said === undefined ? [] : [[cluster, `${said.type}=${said.status} (${said.reason})`]];
  return busy(facts, {
    reason: said?.reason ?? clusterPhase(cluster),
    message: `${name} is progressing (${clusterPhase(cluster)})${because(where)}; no problems found so far.`,
    remedy: `Wait, or watch the progress: butlerctl cluster get ${name} -n ${namespace} --watch`,
    links: [...ofCluster, ...missingWorkers(facts)],
  });
};

function isComplete(cluster: TenantCluster): boolean {
  const { conditions, workerNodesReady = 0, workerNodesDesired = wantedWorkers(cluster.spec) } = cluster.status ?? {};
  const isReady = isConditionTrue(conditions, "Ready") && clusterPhase(cluster) === "Ready";
  return isReady && workerNodesReady >= workerNodesDesired;
}

function missingWorkers({ machineDeployments }: ClusterFacts): Link[] {
  return machineDeployments.flatMap((deployment): Link[] => {
    const { replicas = 0 } = deployment.spec;
    const { readyReplicas = 0 } = deployment.status ?? {};
    return readyReplicas >= replicas ? [] : [[deployment, `${readyReplicas} of ${replicas} ready`]];
  });
}

/** The diagnosis when no problem is found. */
export function allIsWell(facts: ClusterFacts): Diagnosis {
  const { cluster } = facts;
  const hold = cluster.spec.paused
    ? " Reconciliation is paused: changes are not applied until spec.paused is false."
    : "";
  return {
    state: "well",
    cause: "Ready",
    sentence: `${cluster.metadata.name} is ready: its API server responds and ${workersText(cluster)} workers are ready.${hold}`,
    nextStep: `Connect to the cluster: butlerctl cluster kubeconfig ${cluster.metadata.name} -n ${cluster.metadata.namespace ?? ""}`,
    chain: chainOf(facts, []),
  };
}

/** In the order in which a cluster is created: each condition depends on those before it. */
const order = ["InfrastructureReady", "ControlPlaneReady", "WorkersReady", "AddonsReady", "Ready"];

function firstFalse({ cluster }: ClusterFacts): Condition | undefined {
  return order
    .map((type) => findCondition(cluster.status?.conditions, type))
    .find((condition) => condition !== undefined && condition.status !== "True");
}
