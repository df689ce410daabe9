import type { MachineDeployment } from "@butler/api-external";
import { covers } from "@butler/controller";
import { type Condition, findCondition, isConditionTrue, type KubeObject } from "@butler/resource";
import { type AddonPlan, planAddons } from "./addons/index.ts";
import { planAddresses } from "./addresses/plan-addresses.ts";
import { done, open, type Part } from "./part.ts";
import type { Observed } from "./observed.ts";
import { type PoolProgress, poolProgress } from "./pools.ts";
import { kubernetesVersionOf, poolsOf } from "./settings.ts";

/** How far a cluster has come. */
export interface Progress {
  readonly infrastructure: Part;
  readonly controlPlane: Part;
  readonly workers: Part;
  readonly network: Part;
  readonly addons: Part;
  /** What of the add-ons keeps the cluster from being ready; less than what keeps them from being so. */
  readonly addonsHoldUp: Part | undefined;
  readonly addonPlan: AddonPlan;
  readonly pools: readonly PoolProgress[];
  /** The lowest version among the API servers that run. */
  readonly runningVersion: string | undefined;
}

/** What the parts of a cluster are to be like; what they say of themselves counts only once they are asked for it. */
export interface Wanted {
  readonly controlPlane?: KubeObject;
  /** One for each pool. */
  readonly deployments?: readonly MachineDeployment[];
}

/** Works out how far a cluster has come from what its parts say. */
export function progressOf(observed: Observed, wanted: Wanted = {}): Progress {
  const pools = poolsOf(observed.cluster).map((pool, at) => poolProgress(observed, pool, wanted.deployments?.[at]));
  const addonPlan = planAddons(observed);
  const ofControlPlane = controlPlaneAddons(observed);
  return {
    infrastructure: infrastructure(observed),
    controlPlane: controlPlane(observed, wanted),
    workers: workers(pools, addonPlan.networkGap),
    network: planAddresses(observed).part,
    addons: ofControlPlane.isReady ? both(ofControlPlane, addonPlan.part) : ofControlPlane,
    addonsHoldUp: ofControlPlane.isReady ? addonPlan.holdUp : ofControlPlane,
    addonPlan,
    pools,
    runningVersion: observed.controlPlane?.status?.version,
  };
}

/** Whether every API server has the version that the cluster is to have, so that workers may follow. */
export function isControlPlaneAt({ controlPlane: found }: Observed, version: string): boolean {
  const { status } = found ?? {};
  return status?.version === version && status.ready === true && !isConditionTrue(status.conditions, "RollingOut");
}

function infrastructure({ capiCluster }: Observed): Part {
  const isReady = capiCluster?.status?.initialization?.infrastructureProvisioned === true;
  const said = findCondition(capiCluster?.status?.conditions, "InfrastructureReady")?.message;
  return isReady
    ? done("InfrastructureReady", "machines can be made")
    : open("InfrastructureProvisioning", said || "the infrastructure is being prepared");
}

function controlPlane(observed: Observed, wanted: Wanted): Part {
  const { controlPlane: found, cluster } = observed;
  const { status } = found ?? {};
  const version = kubernetesVersionOf(cluster);
  if (status?.initialized !== true || status.ready !== true) return starting(status?.conditions);
  if (!isControlPlaneAt(observed, version)) {
    return open("Upgrading", `the control plane goes from ${status.version ?? "an unknown version"} to ${version}`);
  }
  if (!isAsked(found, wanted.controlPlane)) return open("Updating", "the control plane is being changed");
  return done("ControlPlaneReady", `the API server answers, at ${version}`);
}

function starting(conditions: readonly Condition[] | undefined): Part {
  const said = findCondition(conditions, "Ready");
  return open(said?.reason ?? "ControlPlaneProvisioning", said?.message || "the control plane is being started");
}

/** Nodes are not ready before pods are connected, so that what is missing there is told here. */
function workers(pools: readonly PoolProgress[], networkGap: string | undefined): Part {
  const desired = sum(pools, "desired");
  const unsettled = pools.find(({ isSettled }) => !isSettled);
  if (unsettled === undefined) return done("WorkersReady", `all ${desired} nodes are ready`);
  const { name, ready, upToDate } = unsettled;
  const gap = networkGap === undefined ? "" : `; nodes wait for the pod network: ${networkGap}`;
  const rest = unsettled.upToDate < unsettled.desired ? `, ${upToDate} of them as the spec says` : "";
  return open("WorkersProvisioning", `${ready} of ${unsettled.desired} nodes of pool ${name} are ready${rest}${gap}`);
}

/** Whether a part has been asked for what is wanted, and its status is about that and not about what was before. */
function isAsked(found: KubeObject | undefined, wanted: KubeObject | undefined): boolean {
  const { observedGeneration = 0 } = (found as { status?: { observedGeneration?: number } } | undefined)?.status ?? {};
  if (observedGeneration < (found?.metadata.generation ?? 0)) return false;
  return wanted === undefined || covers(specOf(found), specOf(wanted));
}

function specOf(object: KubeObject | undefined): unknown {
  return (object as { spec?: unknown } | undefined)?.spec;
}

/** What Steward itself puts into the cluster. */
function controlPlaneAddons({ tenantControlPlane }: Observed): Part {
  const said = findCondition(tenantControlPlane?.status?.conditions, "AddonsReady");
  return said?.status === "True"
    ? done("AddonsInstalled", said.message)
    : open(said?.reason ?? "AddonsPending", said?.message || "the control plane is not there yet");
}

function both(ofControlPlane: Part, ofCluster: Part): Part {
  if (!ofCluster.isReady) return ofCluster;
  return { ...ofControlPlane, message: [ofControlPlane.message, ofCluster.message].filter(Boolean).join("; ") };
}

/** How many nodes of all pools there are of something. */
export function sum(pools: readonly PoolProgress[], count: "desired" | "ready"): number {
  return pools.reduce((total, pool) => total + pool[count], 0);
}
